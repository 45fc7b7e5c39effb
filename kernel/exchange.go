package kernel

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/internal/blocks"
)

// exchange mends what single moves cannot: two groups that share a cluster
// while another group has two. It takes the clusters that gain most by being
// split in two and the pairs of clusters that lose least by becoming one, and
// does both together wherever J falls. Then nodes move, and so on until
// nothing is gained. k stays as it is.
func exchange(ctx context.Context, workers int, p *partition, rng *rand.Rand) (moved int, err error) {
	const rounds = 30
	for range rounds {
		was, before := slices.Clone(p.label), p.quality()
		swaps, err := p.exchangeOnce(ctx, workers, rng.Uint64())
		if err != nil || swaps == 0 {
			return moved, err
		}
		if _, err := newRefiner(p, workers).descend(ctx, refineRounds); err != nil {
			return moved, err
		}
		if p.quality() <= before { // prices were more than the moves could mend
			copy(p.label, was)
			return moved, p.refresh(ctx, workers)
		}
		moved += swaps
	}
	return moved, nil
}

// A split is a cluster cut in two: second tells which of its nodes go apart.
type split struct {
	c      int32
	gain   float64
	nodes  []int32
	second []bool
}

func (p *partition) exchangeOnce(ctx context.Context, workers int, seed uint64) (swaps int, err error) {
	if p.k < 3 {
		return 0, nil
	}
	splits, err := p.splits(ctx, workers, seed)
	if err != nil {
		return 0, err
	}
	quot, err := p.l.contract(ctx, workers, p.label, p.k)
	if err != nil {
		return 0, err
	}
	mergers := cheapest(quot)
	touched := make([]bool, p.k)
	before := p.quality()
	for _, s := range splits {
		if touched[s.c] || s.gain <= 0 {
			continue
		}
		at := slices.IndexFunc(mergers, func(m merger) bool {
			return !touched[m.a] && !touched[m.b] && m.a != s.c && m.b != s.c
		})
		if at < 0 || s.gain-mergers[at].cost <= 1e-9*(1+abs(before)) {
			continue
		}
		m := mergers[at]
		touched[s.c], touched[m.a], touched[m.b] = true, true, true
		for i, c := range p.label {
			if c == m.b {
				p.label[i] = m.a
			}
		}
		for at, i := range s.nodes {
			if s.second[at] {
				p.label[i] = m.b
			}
		}
		swaps++
	}
	if swaps == 0 {
		return 0, nil
	}
	return swaps, p.refresh(ctx, workers)
}

func abs(x float64) float64 { return max(x, -x) }

// mendable is the share of a price for being together that a merger is held
// to: most such pairs are soon taken apart by moves.
const mendable = 0.02

// cheapest returns the mergers of the nodes of a small level, cheapest first.
func cheapest(l *level) (list []merger) {
	t, price := newTally(), make([]float64, l.len())
	for i := range int32(l.len()) {
		t.clear()
		for _, g := range [2]*csr{&l.a, &l.links} {
			to, w := g.row(i)
			for q, j := range to {
				t.add(j, w[q])
			}
		}
		to, w := l.apart.row(i)
		for q, j := range to {
			price[j] = w[q]
		}
		for j := range i {
			list = append(list, merger{j, i, l.mergeCost(i, j, t.get(j)) + mendable*price[j]})
		}
		for _, j := range to {
			price[j] = 0
		}
	}
	slices.SortFunc(list, func(x, y merger) int {
		return cmp.Or(cmp.Compare(x.cost, y.cost), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	return list
}

// splits cuts every cluster in two as well as is quickly found, and returns
// them by what that gains, most first.
func (p *partition) splits(ctx context.Context, workers int, seed uint64) ([]split, error) {
	start, members := membersOf(p.label, p.k)
	out := make([]split, p.k)
	errs := make([]error, p.k)
	err := blocks.Tasks(ctx, workers, p.k, func(c int) {
		out[c] = split{c: int32(c)}
		if nodes := members[start[c]:start[c+1]]; len(nodes) > 1 {
			out[c], errs[c] = p.split(ctx, int32(c), nodes, rand.New(rand.NewPCG(seed, uint64(c))))
		}
	})
	if err != nil {
		return nil, err
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(out, func(x, y split) int { return cmp.Compare(y.gain, x.gain) })
	return out, nil
}

func (p *partition) split(ctx context.Context, c int32, nodes []int32, rng *rand.Rand) (split, error) {
	sub := p.l.induced(nodes)
	label, err := agglomerate(ctx, 1, sub, 2, 0, rng)
	if err != nil {
		return split{}, err
	}
	half, err := newPartition(ctx, 1, sub, 2, label)
	if err != nil {
		return split{}, err
	}
	if _, err := newRefiner(half, 1).descend(ctx, refineRounds); err != nil {
		return split{}, err
	}
	s := split{c: c, nodes: nodes, second: make([]bool, len(nodes)), gain: half.quality() - quotient(p.m[c], p.s[c])}
	for at, h := range half.label {
		s.second[at] = h == 1
	}
	return s, nil
}

// induced returns the level of the given nodes alone.
func (l *level) induced(nodes []int32) *level {
	out := &level{firm: l.firm}
	at := make(map[int32]int32, len(nodes))
	for q, i := range nodes {
		at[i] = int32(q)
		out.alpha, out.self = append(out.alpha, l.alpha[i]), append(out.self, l.self[i])
	}
	for _, part := range [3]struct{ from, to *csr }{{&l.a, &out.a}, {&l.links, &out.links}, {&l.apart, &out.apart}} {
		if part.from.start == nil {
			continue
		}
		part.to.start = make([]int, 1, len(nodes)+1)
		for _, i := range nodes {
			to, w := part.from.row(i)
			for q, j := range to {
				if h, ok := at[j]; ok {
					part.to.to, part.to.w = append(part.to.to, h), append(part.to.w, w[q])
				}
			}
			part.to.start = append(part.to.start, len(part.to.to))
		}
	}
	return out
}
