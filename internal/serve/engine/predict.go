package engine

import (
	"bytes"
	"math"

	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/door"
)

// A Predicted is the reply to predict.
type Predicted struct {
	Clusters []string `json:"clusters"`          // their names
	Labels   *Array   `json:"labels"`            // <i4, the cluster of each row; -1: left out
	Costs    *Array   `json:"costs,omitempty"`   // where they were asked for: <f8, n × k, what each row costs in each cluster; NaN: left out
	Details  *Details `json:"details,omitempty"` // where they were asked for
	Notes    []note   `json:"notes"`
}

// placed reads the model and the data that it is used on.
func (c *call) placed() (*door.Model, *door.Table, error) {
	m, err := door.Load(bytes.NewReader(c.Model))
	if err != nil {
		return nil, nil, &door.InputError{File: "model", Msg: err.Error(), Err: err}
	}
	t, err := c.Data.open(c.ctx, c.mem, m.Open)
	return m, t, err
}

func (c *call) predict() (any, error) {
	m, t, err := c.placed()
	if err != nil {
		return nil, err
	}
	o, err := c.Options.options()
	if err != nil {
		return nil, err
	}
	p, err := m.Predict(c.ctx, t, o.Workers)
	if err != nil {
		return nil, err
	}
	out := &Predicted{Clusters: p.Clusters, Labels: labelsOf(t, p.Len(), p.Rows()), Notes: c.notes(p.Notes)}
	if c.Request.Details {
		rows, source, err := p.Details(c.ctx)
		if err != nil {
			return nil, err
		}
		out.Details = newDetails(t, p.Clusters, rows, source)
	}
	if c.Request.Costs {
		out.Costs = costs(t, p)
	}
	return out, nil
}

// costs returns what each row costs in each cluster, nil for models that do not say it.
func costs(t *door.Table, p *door.Prediction) *Array {
	n, k, all := t.Len(), len(p.Clusters), p.Costs()
	if all == nil {
		return nil
	}
	if p.Len() == n {
		return newArray(all, n, k)
	}
	out := make([]float64, n*k)
	for i := range out {
		out[i] = math.NaN()
	}
	at := 0
	for row := range p.Rows() {
		i, _ := t.Row(row.ID)
		copy(out[i*k:(i+1)*k], all[at*k:])
		at++
	}
	return newArray(out, n, k)
}

// explain says why a row is in its cluster, or two rows together or apart.
func (c *call) explain() (any, error) {
	m, t, err := c.placed()
	if err != nil {
		return nil, err
	}
	known, err := c.Constraints.on(c.mem, t)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, i := range c.Rows {
		if i < 0 || i >= t.Len() {
			return nil, &door.InputError{File: t.Name(), Msg: sprintf("there is no row %d; the rows are numbered 0 to %d", i, t.Len()-1)}
		}
		ids = append(ids, t.ID(i))
	}
	switch len(ids) {
	case 1:
		x, err := m.ExplainRow(c.ctx, t, known, ids[0])
		if err != nil {
			return nil, err
		}
		return map[string]any{"row": x, "text": x.String()}, nil
	case 2:
		x, err := m.ExplainPair(c.ctx, t, known, ids[0], ids[1])
		if err != nil {
			return nil, err
		}
		return map[string]any{"pair": x, "text": x.String()}, nil
	}
	return nil, protocolError("explain takes one row or two, not %d", len(ids))
}

// score compares two labellings of the same rows.
func (c *call) score() (any, error) {
	truth, err := integers(c.mem, c.Truth)
	if err != nil {
		return nil, err
	}
	pred, err := integers(c.mem, c.Pred)
	if err != nil {
		return nil, err
	}
	table, err := score.NewTable(truth, pred)
	if err != nil {
		return nil, &door.InputError{File: "labels", Msg: err.Error(), Err: err}
	}
	return table.Card(), nil
}
