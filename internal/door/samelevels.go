package door

import (
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/columns"
)

// sameLevels is the least adjusted Rand index of clusters and the levels of a category of which they are nothing but the levels.
const sameLevels = 0.95

// saySameLevels says so where the clusters are the levels of a category that is clustered on, such as the batch in which rows were measured:
// somebody who knew the column has found nothing new.
func (j *job) saySameLevels() {
	if j.t.plan == nil || j.t.ds.Columns == nil || len(j.c.classes) > 0 {
		return
	}
	for _, c := range j.t.plan.Columns {
		if !c.Used || c.Role != columns.Category || c.At < 0 || c.Levels < 2 || c.Spec.List != "" || c.Spec.Presence {
			continue
		}
		texts, code, levels := c.Spec.Texts(j.t.ds, c.At), map[string]int{}, make([]int, len(j.fitted.Labels))
		for at := range levels {
			i := at
			if j.rows != nil {
				i = j.rows[at]
			}
			if _, seen := code[texts[i]]; !seen {
				code[texts[i]] = len(code)
			}
			levels[at] = code[texts[i]]
		}
		if same, err := score.ARI(levels, j.fitted.Labels); err == nil && same >= sameLevels {
			j.notes.say("the clusters are the levels of %s (adjusted Rand index %.2f): look within one of them, or leave out with {drop} what they decide", c.Name, same)
			return
		}
	}
}
