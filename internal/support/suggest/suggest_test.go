package suggest

import "testing"

func TestNearest(t *testing.T) {
	words := []string{"kmeans", "seeded-kmeans", "csp", "workers", "Species", "mpc-kmeans"}
	for given, want := range map[string]string{
		"kmean": "kmeans", "KMEANS": "kmeans", "k-means": "kmeans", "seeded-kmean": "seeded-kmeans",
		"worker": "workers", "wrokers": "workers", "species": "Species", "cps": "csp", "seeded": "seeded-kmeans", "SPE": "Species", "se": "", "zebra": "", "mpck": "mpc-kmeans", "MPCK-Means": "mpc-kmeans", "seeded kmeans": "seeded-kmeans", "": "", "x": "",
	} {
		if got := Nearest(given, words); got != want {
			t.Errorf("for %q got %q, wanted %q", given, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"csv", "csv", 0}, {"cvs", "csv", 1}, {"kitten", "sitting", 3}, {"must", "mst", 1}, {"é", "e", 1}, {"abcd", "badc", 2}} {
		for _, got := range []int{distance(c.a, c.b), distance(c.b, c.a)} {
			if got != c.want {
				t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
			}
		}
	}
}
