package door

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/support/format"
)

// When density is asked how many groups there are, and when its answer is said.
const (
	opinionRows     = 10_000 // above, it takes too long for a remark
	opinionFeatures = 10     // above, distances say little about density
	opinionNoise    = 0.3    // a tree that leaves a larger share of the rows outside has no opinion
	opinionRatio    = 1.5    // the larger number by the smaller from which on they disagree clearly
)

// saySecondOpinion says how many groups density finds where that is clearly another number than the one that was chosen without constraints. It
// changes nothing.
func (j *job) saySecondOpinion(ctx context.Context) {
	x, dense := j.p.X.(*data.Dense)
	if len(j.ks) < 2 || !j.known.set.Empty() || !dense || j.t.HasTexts() || x.Len() > opinionRows || x.Dim() > opinionFeatures {
		return
	}
	m, ok := catalog.Find("density")
	if !ok {
		return
	}
	fit, err := cluster.Fit(ctx, &cluster.Problem{X: x, Derived: j.p.Derived}, m.New(), cluster.Settings{Seed: j.settings.Seed, Workers: j.o.Workers})
	if err != nil || fit.Stub {
		return
	}
	groups, noise := 0, 0
	for _, h := range fit.Labels {
		if groups = max(groups, h+1); h < 0 {
			noise++
		}
	}
	if !disagree(j.p.K, groups) || float64(noise) > opinionNoise*float64(len(fit.Labels)) {
		return
	}
	outside := ""
	if noise > 0 {
		outside = ", with " + format.Count(noise, j.t.point()) + " in none"
	}
	j.notes.say("another view: %s are denser than what surrounds them%s ({method=density} shows them)", format.Count(groups, "group"), outside)
}

// disagree reports whether two numbers of clusters are clearly different; 1 is no number of groups that a tree can find.
func disagree(k, groups int) bool {
	least, most := min(k, groups), max(k, groups)
	return groups > 1 && most-least > 1 && float64(most) >= opinionRatio*float64(least)
}
