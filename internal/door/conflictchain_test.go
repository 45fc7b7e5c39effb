package door_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
)

// chain returns a table of n rows, each must-linked with the next, and the first apart from the
// last; the constraints come from a file.
func chain(t testing.TB, n int) (*door.Table, *door.Constraints) {
	t.Helper()
	var links strings.Builder
	links.WriteString("a,b,kind\n")
	for i := range n - 1 {
		fmt.Fprintf(&links, "%d,%d,must\n", i, i+1)
	}
	fmt.Fprintf(&links, "0,%d,cannot\n", n-1)
	x, err := door.Read(background, strings.NewReader("x\n"+strings.Repeat("1\n2\n", n/2)), "chain.csv", door.Source{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "links.csv")
	if err := os.WriteFile(path, []byte(links.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := door.ReadConstraints(background, x, door.ConstraintFiles{Links: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	return x, c
}

// A long chain is refused with its proof; BenchmarkContradictoryChain shows that the time
// grows with its length alone.
func TestLongChainIsRefused(t *testing.T) {
	t.Parallel()
	x, c := chain(t, 300_000)
	_, err := door.Cluster(background, x, c, door.Options{K: 2, Method: "cop-kmeans"})
	var conflict *door.ConstraintError
	if !errors.As(err, &conflict) || !strings.Contains(err.Error(), "0 and 299999 cannot be together") {
		t.Fatalf("got %v", err)
	}
}

func BenchmarkContradictoryChain(b *testing.B) {
	for _, n := range []int{10_000, 30_000, 100_000, 300_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			x, c := chain(b, n)
			for b.Loop() {
				if _, err := door.Cluster(background, x, c, door.Options{K: 2, Method: "cop-kmeans"}); err == nil {
					b.Fatal("nothing was refused")
				}
			}
		})
	}
}
