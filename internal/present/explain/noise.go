package explain

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/support/format"
)

// An Entry says how far a row of noise is from the cluster that it would join first. Distances are those of the tree: that
// to the nearest row, but no less than how far the neighbours of the two are that say how dense it is.
type Entry struct {
	Distance float64 `json:"distance"` // at which the row would join
	Half     float64 `json:"half"`     // at which half of the rows of the cluster have
	Most     float64 `json:"most"`     // at which nine of ten have
}

// noise explains why row i is in no cluster. Its features are compared with those of the row at which it would join one.
func (c *Case) noise(i int) *Row {
	r := c.newRow(i)
	model, ok := c.Model.(reaching)
	if !ok {
		return r
	}
	v := data.Copy(c.X, i)
	reach := model.Reach(data.Vec{Val: v})
	first := nearestOther(reach, -1)
	if first < 0 || math.IsInf(reach[first], 1) {
		return r
	}
	r.Second, r.SecondCost = c.Names[first], &reach[first]
	r.Entry = &Entry{Distance: reach[first], Half: model.JoinedBy(first, 0.5), Most: model.JoinedBy(first, 0.9)}
	at := model.Entry(data.Vec{Val: v}, first)
	dist2 := data.Dist2(data.Vec{Val: at}, v, data.Norm2(v))
	for f := range v {
		d := v[f] - at[f]
		r.Features = append(r.Features, Feature{Name: c.Recipe.OriginalName(f), Value: c.unscaled(f, v[f]), Next: c.unscaled(f, at[f]), NextShare: share(d*d, dist2), Difference: share(d*d, dist2)})
	}
	slices.SortStableFunc(r.Features, func(a, b Feature) int { return cmp.Compare(math.Abs(b.Difference), math.Abs(a.Difference)) })
	r.Features = r.Features[:min(len(r.Features), featuresShown)]
	return r
}

// noiseText says for people why a row is in no cluster.
func (r *Row) noiseText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s has no cluster: noise", r.ID)
	if r.Entry != nil {
		fmt.Fprintf(&b, "; it would join %s first, at distance %s; half of the rows of %s have joined at %s, nine of ten at %s",
			r.Second, format.Number(r.Entry.Distance), r.Second, format.Number(r.Entry.Half), format.Number(r.Entry.Most))
	}
	b.WriteString("\n")
	if r.Label != "" {
		fmt.Fprintf(&b, "you labelled it %s\n", r.Label)
	}
	if len(r.Features) > 0 {
		fmt.Fprintf(&b, "\n  %-24s %10s %10s   %s\n", "column", "row", "in "+short(r.Second), "share of the distance")
	}
	for _, f := range r.Features {
		fmt.Fprintf(&b, "  %-24s %10s %10s   %5.1f %%\n", short24(f.Name), format.Number(f.Value), format.Number(f.Next), 100*f.Difference)
	}
	return b.String() + r.labelledText()
}

// placeText says where one row of a pair is.
func placeText(cluster string, confidence float64) string {
	if cluster == "" {
		return "is noise"
	}
	return fmt.Sprintf("is in %s (confidence %.2f)", cluster, confidence)
}
