package clustertest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/cluster"
)

var background = context.Background()

// settings are those of every fit of the suite: runs leave local minima where the
// algorithm can, so that these stages are audited too.
func settings() cluster.Settings {
	s := cluster.Default()
	s.Effort, s.Workers = cluster.EffortNormal, 2
	return s
}

// fit makes two runs of a with settings changed by tune, and checks the shape of the result.
func fit(p *cluster.Problem, a cluster.Algorithm, tune func(*cluster.Settings)) (*cluster.Result, error) {
	s := settings()
	s.Restarts = 2
	if tune != nil {
		tune(&s)
	}
	r, err := cluster.Fit(background, p, a, s)
	if err != nil {
		return nil, err
	}
	return r, wellFormed(p, a, r)
}

// A suite keeps the fit that several clauses begin with.
type suite struct {
	sync.Mutex
	fits map[cluster.Algorithm]hardFit
}

type hardFit struct {
	*cluster.Result
	equal bool // a says that its runs are equal, and they are; one run alone has the same result
}

// hardFit returns what fit finds on the hard problem, which is made once for each
// algorithm: clauses compare other fits with it.
func (u *suite) hardFit(a cluster.Algorithm) (hardFit, error) {
	u.Lock()
	defer u.Unlock()
	if r, ok := u.fits[a]; ok {
		return r, nil
	}
	p := hard()
	var went [2][]cluster.Terms // the objectives of each run
	r, err := fit(p, a, func(s *cluster.Settings) {
		s.Observe = func(e cluster.Event) {
			if e.Share == 0 { // not how far a start is, which may take less in a second run
				went[e.Run] = append(went[e.Run], e.Objective)
			}
		}
	})
	if err != nil {
		return hardFit{}, err
	}
	d, ok := a.(cluster.Deterministic)
	equal := ok && d.Deterministic(p) && reflect.DeepEqual(went[0], went[1])
	if equal { // fits within a run may follow the number of restarts too
		once, err := fit(p, a, func(s *cluster.Settings) { s.Restarts = 1 })
		if err != nil {
			return hardFit{}, err
		}
		equal = same(r, once) == nil
	}
	u.fits[a] = hardFit{r, equal}
	return u.fits[a], nil
}

// fit is fit, but makes one run where all are equal.
func (u *suite) fit(p *cluster.Problem, a cluster.Algorithm, tune func(*cluster.Settings)) (*cluster.Result, error) {
	var first hardFit
	if _, ok := a.(cluster.Deterministic); ok {
		var err error
		if first, err = u.hardFit(a); err != nil {
			return nil, err
		}
	}
	return fit(p, a, func(s *cluster.Settings) {
		if first.equal {
			s.Restarts = 1
		}
		if tune != nil {
			tune(s)
		}
	})
}

func wellFormed(p *cluster.Problem, a cluster.Algorithm, r *cluster.Result) error {
	if len(r.Labels) != p.Len() {
		return fmt.Errorf("%d labels for %d points", len(r.Labels), p.Len())
	}
	k, least := p.K, 0
	if a.Capabilities().LeavesNoise {
		least = -1
	}
	if k == 0 {
		k = 1 + slices.Max(r.Labels)
	}
	for i, h := range r.Labels {
		if h < least || h >= k {
			return fmt.Errorf("point %d has label %d, clusters are 0 to %d", i, h, k-1)
		}
	}
	if a.Capabilities().FindsK && !r.Stub && slices.Contains(r.Sizes(k), 0) {
		return fmt.Errorf("it finds the number of clusters, and of %d some are empty: %v", k, r.Sizes(k))
	}
	for _, list := range [][]float64{r.Membership, r.Outlier} {
		for i, y := range list {
			if !(y >= 0 && y <= 1) || len(list) != p.Len() {
				return fmt.Errorf("point %d of %d has the grade %v", i, len(list), y)
			}
		}
	}
	if r.Status == "" {
		return fmt.Errorf("the result does not say why it stopped")
	}
	return nil
}

// same returns how two results differ, to the bit.
func same(a, b *cluster.Result) error {
	for i := range a.Labels {
		if a.Labels[i] != b.Labels[i] {
			return fmt.Errorf("point %d has label %d and %d", i, a.Labels[i], b.Labels[i])
		}
	}
	if !reflect.DeepEqual(a.Objective, b.Objective) {
		return fmt.Errorf("the objectives are %v and %v", a.Objective, b.Objective)
	}
	if !reflect.DeepEqual(a.Trace, b.Trace) {
		return fmt.Errorf("the traces differ: %v and %v", a.Trace, b.Trace)
	}
	ma, err := json.Marshal(a.Model)
	if err != nil {
		return err
	}
	mb, err := json.Marshal(b.Model)
	if err != nil {
		return err
	}
	if !bytes.Equal(ma, mb) {
		return fmt.Errorf("the models differ")
	}
	return nil
}
