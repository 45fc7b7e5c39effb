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

// Keys of different types are kept beside one another, and one value is computed from another.
func TestDerivedKeepsOneValueOfEachType(t *testing.T) {
	type (
		graph  struct{ k int }
		kernel struct{ k int }
	)
	var d data.Derived
	computed := 0
	count := func() (any, error) { computed++; return computed, nil }
	for range 2 {
		value, err := d.Get(kernel{1}, func() (any, error) { return d.Get(graph{1}, count) })
		if err != nil || value != 1 {
			t.Fatalf("got %v, %v, want 1", value, err)
		}
		if value, err = d.Get(graph{1}, count); err != nil || value != 1 {
			t.Fatalf("got %v, %v, want 1", value, err)
		}
	}
	if value, err := d.Get(graph{2}, count); err != nil || value != 2 {
		t.Errorf("got %v, %v, want 2", value, err)
	}
	if value, err := d.Get(kernel{1}, count); err != nil || value != 1 {
		t.Errorf("got %v, %v, want the value kept before", value, err)
	}
}
