package data

import (
	"reflect"
	"sync"
)

// Derived keeps what was computed from points last, one value for each type of key, so that a later fit on
// the same points need not compute it again. A nil Derived keeps nothing.
type Derived struct {
	mu   sync.Mutex
	kept map[reflect.Type]*derivedValue
}

type derivedValue struct {
	mu         sync.Mutex
	key, value any
}

// Get returns what is kept under a key, which names the points and all that the value
// depends on, or else computes and keeps it in place of what was kept before under a key of the same type. An error is
// returned, not kept.
func (d *Derived) Get(key any, compute func() (any, error)) (any, error) {
	if d == nil || !reflect.ValueOf(key).Comparable() {
		return compute()
	}
	v := d.ofType(reflect.TypeOf(key))
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.value != nil && v.key == key {
		return v.value, nil
	}
	v.key, v.value = nil, nil // so that both are not in memory at once
	value, err := compute()
	if err != nil {
		return nil, err
	}
	v.key, v.value = key, value
	return value, nil
}

// ofType returns the place of what is kept under keys of a type.
func (d *Derived) ofType(t reflect.Type) *derivedValue {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.kept == nil {
		d.kept = map[reflect.Type]*derivedValue{}
	}
	if d.kept[t] == nil {
		d.kept[t] = &derivedValue{}
	}
	return d.kept[t]
}
