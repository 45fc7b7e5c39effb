package suspect

import (
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster/constraint"
)

// A source that tells pairs apart calls some of them wrong, even where a fifth are; one that leaves nearly all of the
// uncertainty does not, though it is better than chance on many pairs.
func TestProvenSource(t *testing.T) {
	for _, c := range []struct {
		name   string
		shift  float64 // of the scores of pairs that belong together
		wrong  int     // of five
		proven bool
	}{{"clear", 3, 0, true}, {"clear, a fifth wrong", 3, 1, true}, {"weak", 0.5, 0, false}} {
		rng := rand.New(rand.NewPCG(1, 2))
		var links []link
		var scores []float64
		for i := range 400 {
			together := i%2 == 0
			score := rng.NormFloat64() - c.shift/2
			if together {
				score += c.shift
			}
			if i/2%5 < c.wrong {
				together = !together
			}
			links = append(links, link{constraint.Pair{I: 2 * i, J: 2*i + 1, W: 1}, together})
			scores = append(scores, score)
		}
		cal := fitPairCalibration(scores, links)
		if cal.proven() != c.proven {
			t.Errorf("%s: proven %v, gain %.3f, decided %.3f", c.name, cal.proven(), cal.gain, cal.decided)
		}
		if c.name == "weak" && cal.gain*cal.total < provenFrom {
			t.Errorf("the weak source is no better than chance: gain %.3f", cal.gain)
		}
	}
}
