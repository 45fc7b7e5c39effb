package experiment

import "github.com/inklinghq/inkling/cluster/score"

// Measures are the scores that a table can be made of; a log has all of them.
var Measures = []string{"ari", "nmi", "mi", "f", "rand", "precision", "recall", "homogeneity", "completeness", "v", "purity"}

// measureOf returns a score by its name.
func measureOf(c *score.Card, measure string) float64 {
	switch measure {
	case "ari":
		return c.ARI
	case "nmi":
		return c.NMI
	case "mi":
		return c.MI
	case "f":
		return c.F
	case "rand":
		return c.Rand
	case "precision":
		return c.Precision
	case "recall":
		return c.Recall
	case "homogeneity":
		return c.Homogeneity
	case "completeness":
		return c.Completeness
	case "v":
		return c.V
	}
	return c.Purity
}
