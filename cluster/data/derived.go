package data

import (
	"reflect"
	"sync"
)

// Derived keeps what was computed from points last, so that a later fit on the same points
// need not compute it again. A nil Derived keeps nothing.
type Derived struct {
	mu         sync.Mutex
	key, value any
}

// Get returns what is kept under a key, which names the points and all that the value
// depends on, or else computes and keeps it in place of what was kept before. An error is
// returned, not kept.
func (d *Derived) Get(key any, compute func() (any, error)) (any, error) {
	if d == nil || !reflect.ValueOf(key).Comparable() {
		return compute()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.value != nil && d.key == key {
		return d.value, nil
	}
	d.key, d.value = nil, nil // so that both are not in memory at once
	value, err := compute()
	if err != nil {
		return nil, err
	}
	d.key, d.value = key, value
	return value, nil
}
