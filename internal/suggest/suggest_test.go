package suggest

import "testing"

func TestNearest(t *testing.T) {
	words := []string{"kmeans", "seeded-kmeans", "csp", "workers", "Species"}
	for given, want := range map[string]string{
		"kmean": "kmeans", "KMEANS": "kmeans", "k-means": "kmeans", "seeded-kmean": "seeded-kmeans",
		"worker": "workers", "wrokers": "workers", "species": "Species", "cps": "csp", "zebra": "", "": "", "x": "",
	} {
		if got := Nearest(given, words); got != want {
			t.Errorf("for %q got %q, wanted %q", given, got, want)
		}
	}
}
