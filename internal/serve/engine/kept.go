package engine

import (
	"sync"

	"github.com/inklinghq/inkling/internal/door"
)

// How many results the engine keeps for questions about them, and how many bytes of
// mapped arrays they may hold together. The newest stay.
const (
	maxKept      = 16
	maxKeptBytes = 256 << 20
)

// A keptResult is a result with what it was made of.
type keptResult struct {
	handle uint64
	mem    *memory
	table  *door.Table
	known  *door.Constraints
	o      door.Options
	result *door.Result
}

// kept are results and questions by handle.
type kept struct {
	mu        sync.Mutex
	last      uint64
	results   []*keptResult // the newest last
	questions map[uint64]*questions
}

// add keeps a result and returns its handle, 0 where it is too large to be kept
// unless that was asked for.
func (k *kept) add(r *keptResult, anySize bool) uint64 {
	if r.mem.size > maxKeptBytes && !anySize {
		return 0
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last++
	r.handle = k.last
	r.mem.hold()
	k.results = append(k.results, r)
	size := 0
	for _, r := range k.results {
		size += r.mem.size
	}
	for len(k.results) > maxKept || size > maxKeptBytes && len(k.results) > 1 {
		size -= k.results[0].mem.size
		k.results[0].mem.release()
		k.results = k.results[1:]
	}
	return r.handle
}

// result returns a result, whose memory the caller then holds.
func (k *kept) result(handle uint64) (*keptResult, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, r := range k.results {
		if r.handle == handle {
			r.mem.hold()
			return r, nil
		}
	}
	return nil, &Error{Kind: KindGone, Message: "the engine does not keep this result any more"}
}

func (k *kept) addQuestions(q *questions) uint64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last++
	if k.questions == nil {
		k.questions = map[uint64]*questions{}
	}
	k.questions[k.last] = q
	return k.last
}

func (k *kept) questionsOf(handle uint64) (*questions, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if q := k.questions[handle]; q != nil {
		return q, nil
	}
	return nil, &Error{Kind: KindGone, Message: "the engine does not keep these questions any more"}
}

// drop forgets what a handle names, and reports whether there was such a thing.
func (k *kept) drop(handle uint64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if q := k.questions[handle]; q != nil {
		delete(k.questions, handle)
		q.close()
		return true
	}
	for i, r := range k.results {
		if r.handle == handle {
			k.results = append(k.results[:i:i], k.results[i+1:]...)
			r.mem.release()
			return true
		}
	}
	return false
}

// clear forgets everything.
func (k *kept) clear() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, q := range k.questions {
		q.close()
	}
	for _, r := range k.results {
		r.mem.release()
	}
	k.questions, k.results = nil, nil
}
