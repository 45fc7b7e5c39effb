package prepare

import (
	"reflect"
	"sync"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// Kept remembers the last preparation, and what was derived from its rows, for programs
// that cluster one dataset again and again. A nil Kept remembers nothing. Its methods may
// be called by several goroutines.
type Kept struct {
	mu      sync.Mutex
	ds      *dataio.Dataset
	opt     Options
	recipe  *Recipe
	ready   *Prepared
	derived data.Derived
	base    data.Derived

	words    *dataio.Dataset // of which frequent is known
	frequent int
}

// Frequent returns how many frequent words of the texts of ds are left out, where KeepFrequent was told.
func (k *Kept) Frequent(ds *dataio.Dataset) (n int, ok bool) {
	if k == nil {
		return 0, false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.frequent, k.words == ds
}

// KeepFrequent keeps how many frequent words of the texts of ds are left out.
func (k *Kept) KeepFrequent(ds *dataio.Dataset, n int) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.words, k.frequent = ds, n
}

// Fit is the function Fit, or its last result where ds and the options are the same, but for known classes that
// change nothing.
func (k *Kept) Fit(ds *dataio.Dataset, opt Options) (*Recipe, *Prepared, error) {
	if k == nil {
		return Fit(ds, opt)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	asked, kept := opt, k.opt
	asked.Known, kept.Known, asked.Workers, kept.Workers = nil, nil, 0, 0
	if k.ds == ds && k.ready != nil && asked.Plan == kept.Plan && reflect.DeepEqual(asked, kept) && k.asBefore(opt.Known) {
		return k.recipe, k.ready, nil
	}
	recipe, ready, err := Fit(ds, opt)
	if err != nil {
		return nil, nil, err
	}
	k.ds, k.opt, k.recipe, k.ready = ds, opt, recipe, ready
	return recipe, ready, nil
}

// asBefore reports whether the same columns tell these classes by what is missing.
func (k *Kept) asBefore(known []int) bool {
	for i, h := range k.ready.telling {
		if h.tellClasses(known) != k.recipe.Encoding.Columns[i].Indicator {
			return false
		}
	}
	return true
}

// Derived is where methods keep what they compute from the rows alone.
func (k *Kept) Derived() *data.Derived {
	if k == nil {
		return nil
	}
	return &k.derived
}

// Base is where a clustering without answers is kept, which all those with answers begin with.
func (k *Kept) Base() *data.Derived {
	if k == nil {
		return nil
	}
	return &k.base
}
