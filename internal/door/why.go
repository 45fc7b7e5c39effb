package door

import (
	"fmt"
	"strings"

	"github.com/inklinghq/inkling/internal/support/format"
)

// why says in a sentence or two why the method was chosen and what the constraints changed, for
// `inkling explain`.
func (j *job) why(r *Result) string {
	words := []string{"method " + j.method.Name + ", as asked for"}
	if j.chosen != nil {
		words[0] = "method " + j.chosen.Why
	}
	if n := len(j.settled); n > 0 {
		words = append(words, fmt.Sprintf("%s left out because they contradict others", format.Count(n, "constraint")))
	}
	count := j.known.set.Len()
	switch {
	case count == 0 && j.chosen != nil && len(j.p.Views) == 0:
		words[0] = fmt.Sprintf("method %s: there were no constraints to compare methods by", j.chosen.Candidate)
	case count == 0:
		words = append(words, "there were no constraints")
	case j.honoured && j.chosen.Moved == 0:
		words = append(words, "the constraints moved no "+j.t.point())
	case j.honoured:
		words = append(words, fmt.Sprintf("the constraints moved %s that they name and no other", format.Count(j.chosen.Moved, j.t.point())))
	case len(r.Ignored) > 0 && len(r.Ignored) == len(j.given()):
		words = append(words, "the constraints changed nothing: the method does not use them")
	default:
		used := count
		if j.kept != nil {
			used = j.kept.Constraints.Len()
		}
		words = append(words, fmt.Sprintf("the fit used %d of %s", used, format.Count(count, "constraint")))
	}
	if count > 0 {
		words = append(words, fmt.Sprintf("%d of %d are violated", r.Violated(), count))
	}
	if u := r.Unconstrained; u != nil && !j.honoured {
		words = append(words, fmt.Sprintf("without them %s would be in other clusters", format.Count(u.Moved, j.t.point())))
	}
	return strings.Join(words, "; ")
}

// Why says why the method of the model was chosen and what the constraints changed; "" where the
// model was saved without it.
func (m *Model) Why() string { return m.fit.Why }
