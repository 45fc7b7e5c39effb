package metric

import (
	"encoding/json"
	"fmt"

	"github.com/inklinghq/inkling/cluster/data"
)

type learnedFile struct {
	Form     FormName    `json:"form"`
	Features int         `json:"features"`
	Matrices [][]float64 `json:"matrices,omitempty"`
	Prior    *priorFile  `json:"prior,omitempty"`
}

type priorFile struct {
	Observations float64   `json:"observations"`
	Target       []float64 `json:"target"`
}

// MarshalJSON writes the weights or the rows of each matrix, so that they come
// back to the bit.
func (m *Learned) MarshalJSON() ([]byte, error) {
	out := learnedFile{Form: FormName(m.form.String()), Features: m.d}
	if m.form.Shape != None {
		for h := range m.k {
			out.Matrices = append(out.Matrices, m.matrix(h))
		}
	}
	if m.prior != nil {
		out.Prior = &priorFile{m.prior.Nu, m.prior.T}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote, and refuses matrices that are not
// symmetric and positive definite.
func (m *Learned) UnmarshalJSON(b []byte) error {
	var in learnedFile
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	f, err := in.Form.Form()
	if err != nil {
		return err
	}
	if in.Features < 1 || in.Features > 1<<30 {
		return fmt.Errorf("%d features", in.Features)
	}
	var a []float64
	for h, row := range in.Matrices {
		if len(row) != f.block(in.Features) {
			return fmt.Errorf("matrix %d has %d numbers, a %s one of %d features has %d", h, len(row), f, in.Features, f.block(in.Features))
		}
		a = append(a, row...)
	}
	read, err := New(f, in.Features, a)
	if err != nil {
		return err
	}
	if p := in.Prior; p != nil {
		if read.prior, err = p.check(read); err != nil {
			return err
		}
	}
	*m = *read
	return nil
}

// check returns the prior if it is one for m.
func (p *priorFile) check(m *Learned) (*Prior, error) {
	f := Form{Shape: Diagonal}
	if m.form.PerCluster {
		f.Shape = m.form.Shape
	}
	if _, err := New(f, m.d, p.Target); err != nil {
		return nil, fmt.Errorf("the prior's target: %w", err)
	}
	if !(p.Observations >= 0) || !data.Finite(p.Observations) {
		return nil, fmt.Errorf("a prior of %v observations", p.Observations)
	}
	return &Prior{p.Observations, p.Target}, nil
}
