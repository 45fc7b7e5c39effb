package data_test

import (
	"errors"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

func TestDerivedIsComputedOnce(t *testing.T) {
	var d data.Derived
	computed := 0
	get := func(d *data.Derived, key any, err error) (any, error) {
		return d.Get(key, func() (any, error) { computed++; return computed, err })
	}
	type key struct{ x any }
	for i, c := range []struct {
		d    *data.Derived
		key  any
		err  error
		want int
	}{
		{&d, 1, nil, 1}, {&d, 1, nil, 1}, {&d, 2, nil, 2}, {&d, 1, nil, 3}, // the last one is kept
		{&d, 4, errors.New("no"), 0}, {&d, 4, nil, 5}, {&d, 4, nil, 5}, // an error is not
		{nil, 4, nil, 6},
		{&d, key{[]int{1}}, nil, 7}, {&d, key{[]int{1}}, nil, 8}, // keys that cannot be compared
	} {
		got, err := get(c.d, c.key, c.err)
		if c.err != nil && err == nil || c.err == nil && got != c.want {
			t.Errorf("call %d: %v, %v, want %d", i, got, err, c.want)
		}
	}
}
