package dedupe

import (
	"math/rand/v2"
	"testing"
)

// linkExamplesOf draws examples whose answers follow these weights.
func linkExamplesOf(rng *rand.Rand, truth []float64, count int) (out []linkExample) {
	for range count {
		in := make([]float64, len(truth))
		in[0] = 1
		for i := 1; i < len(in); i++ {
			in[i] = 2 * rng.NormFloat64()
		}
		match := 0.0
		if rng.Float64() < sigmoid(dot(truth, in)) {
			match = 1
		}
		out = append(out, linkExample{in, match, 1})
	}
	return out
}

// Links change the weights where they say something else than the model, and not where they say the same, whatever the share of
// matches that people happened to answer about.
func TestLinksHelp(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 7))
	first := make([]float64, secondInputs+4)
	copy(first, []float64{-1, 1})
	other := make([]float64, len(first))
	copy(other, first)
	other[secondInputs], other[secondInputs+2] = 1, -1.5
	shifted := make([]float64, len(first))
	copy(shifted, first)
	shifted[0] = 3
	var sample [][]float64
	for _, e := range linkExamplesOf(rng, first, 400) {
		sample = append(sample, e.in)
	}
	learned, same, moved := 0, 0, 0
	const tries = 20
	for range tries {
		learned += boolInt(linksHelp(first, linkExamplesOf(rng, other, 120), sample))
		same += boolInt(linksHelp(first, linkExamplesOf(rng, first, 120), sample))
		moved += boolInt(linksHelp(first, linkExamplesOf(rng, shifted, 120), sample))
	}
	if learned < tries-2 {
		t.Errorf("learned from links that contradict the model in %d of %d cases", learned, tries)
	}
	if same > 2 {
		t.Errorf("learned from links that the model explains in %d of %d cases", same, tries)
	}
	if moved > 2 {
		t.Errorf("learned from links of another share of matches in %d of %d cases", moved, tries)
	}
}

// The third stage raises a pair that a third record supports and lowers one that it contradicts.
func TestThirdRecords(t *testing.T) {
	pairs := []pair{{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}, {6, 7}}
	z := []float64{0, 6, 6, 0, 6, -6, 0}
	h := newNeighbourhood(8, pairs, z)
	score := func(i int) float64 {
		in := make([]float64, thirdInputs)
		h.inputs(pairs[i], z[i], in)
		return dot(thirdWeights[:], in)
	}
	supported, contradicted, alone := score(0), score(3), score(6)
	if !(supported > alone && alone > contradicted) {
		t.Errorf("log-odds %.2f with support, %.2f alone, %.2f contradicted", supported, alone, contradicted)
	}
	if !(supported > 2 && contradicted < -1) {
		t.Errorf("log-odds %.2f with support, %.2f contradicted", supported, contradicted)
	}
}
