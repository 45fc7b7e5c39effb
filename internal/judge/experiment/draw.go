package experiment

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
)

// stream returns the generator that a seed, a purpose and some numbers name.
// The name is hashed, so that streams have nothing in common however alike
// their numbers are.
func stream(seed uint64, purpose string, numbers ...float64) *rand.Rand {
	b := binary.LittleEndian.AppendUint64([]byte("inkling experiment "+purpose+"\x00"), seed)
	for _, x := range numbers {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	h := sha256.Sum256(b)
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(h[:]), binary.LittleEndian.Uint64(h[8:])))
}

// Deal returns the fold of each row in a repeat, -1 for rows whose truth is not
// known. The rows are shuffled within each class and assigned in turn, so
// that neither folds nor the shares of a class in them differ by more than one
// row.
func (c *Curve) Deal(repeat int) []int {
	fold := slices.Repeat([]int{-1}, len(c.Truth))
	var order []int
	for _, i := range stream(c.Settings.Seed, "folds", float64(repeat)).Perm(len(c.Truth)) {
		if c.Truth[i] >= 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return c.Truth[a] - c.Truth[b] })
	for at, i := range order {
		fold[i] = at % c.Folds
	}
	return fold
}

// Known draws the constraints of one fold of a repeat, from the truth of the rows
// in other folds. They are the same for every method.
func (c *Curve) Known(repeat, fold int, a Amount) (*constraint.Set, error) {
	return c.drawConstraints(c.Deal(repeat), repeat, fold, a)
}

func (c *Curve) drawConstraints(foldOf []int, repeat, fold int, a Amount) (*constraint.Set, error) {
	training := make([]int, len(c.Truth))
	classes := 0
	for i, y := range c.Truth {
		classes = max(classes, y+1)
		if training[i] = y; foldOf[i] == fold {
			training[i] = -1
		}
	}
	at := []float64{float64(repeat), float64(fold)}
	seed, pairs := c.Settings.Seed, float64(a.Pairs)
	set := constraint.RandomPairs(training, a.Pairs, stream(seed, Pairs, append(at, pairs)...))
	labels, err := constraint.LabelFraction(training, a.Seeds, stream(seed, Seeds, append(at, a.Seeds)...))
	if err != nil {
		return nil, err
	}
	set.Labels = labels.Labels
	if a.Noise == 0 {
		return set, nil
	}
	rng := stream(seed, Noise, append(at, pairs, a.Seeds, a.Noise)...)
	if set, err = constraint.FlipPairs(set, a.Noise, rng); err != nil {
		return nil, err
	}
	if len(set.Labels) == 0 {
		return set, nil
	}
	return constraint.FlipLabels(set, a.Noise, classes, rng)
}

// startSeed returns the seed of the fits of one fold of a repeat.
func (c *Curve) startSeed(repeat, fold int) uint64 {
	return stream(c.Settings.Seed, "start", float64(repeat), float64(fold)).Uint64()
}
