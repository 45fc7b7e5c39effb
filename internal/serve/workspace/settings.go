package workspace

import (
	"fmt"
	"maps"
	"slices"
)

// differences lists the settings in which two fits differ.
func differences(a, b *Fit) (out []SettingDifference) {
	add := func(name string, x, y any) {
		if from, to := fmt.Sprint(x), fmt.Sprint(y); from != to {
			out = append(out, SettingDifference{name, from, to})
		}
	}
	add("method", a.Result.Method, b.Result.Method)
	add("groups", a.Result.K, b.Result.K)
	add("seed", a.Result.Seed, b.Result.Seed)
	add("effort", a.settings.Effort, b.settings.Effort)
	add("constraints", a.given(), b.given())
	names := slices.Sorted(maps.Keys(a.settings.Parameters))
	for _, name := range slices.Sorted(maps.Keys(b.settings.Parameters)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		x, hasX := a.settings.Parameters[name]
		y, hasY := b.settings.Parameters[name]
		if !hasX {
			x = "default"
		}
		if !hasY {
			y = "default"
		}
		add(name, x, y)
	}
	return out
}
