package constraint

import "slices"

// critical returns components that k colours cannot divide, out of a core that
// they cannot: without any one of them the others can be divided, unless an
// eighth of what a solve may spend was not enough to find that out. Those with
// a class, whose colours are given, come last.
func (p *palette) critical(g *core) []int {
	budget := workBudget / 8
	for at := 0; at < len(g.verts) && budget > 0; {
		fewer := newCore(p, slices.Delete(slices.Clone(g.verts), at, at+1))
		given := min(budget, workBudget/128)
		left := given
		got, done := fewer.exact(&left)
		budget -= given - max(left, 0) + len(g.verts)
		if done && got == nil {
			g = fewer // still too many; the next one is now at this place
		} else {
			at++
		}
	}
	return append(widen(g.verts), widen(g.comps)...)
}
