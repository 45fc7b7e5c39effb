package door_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
)

// The estimators of the Python package are generated from the catalog: a change of a method, or
// of the help of a parameter, needs python/generate.
func TestPythonEstimatorsAreUpToDate(t *testing.T) {
	var lines []string
	for _, m := range door.Methods() {
		c := m.Card()
		var uses []string
		for _, kind := range c.Uses {
			uses = append(uses, string(kind))
		}
		lines = append(lines, strings.Join([]string{c.Name, c.Title, c.Paper, c.Input, strings.Join(uses, ","), fmt.Sprint(c.Predicts)}, "|"))
		for _, p := range c.Parameters {
			lines = append(lines, strings.Join([]string{p.Name, p.Type, p.Default, strings.Join(p.Values, ","), strings.Join(p.Rules, ","), p.File, p.Help}, "|"))
		}
	}
	generated, err := os.ReadFile("../../python/src/inkling/_estimators.py")
	if err != nil {
		t.Fatal(err)
	}
	if sum := fmt.Sprintf("# catalog: %x\n", sha256.Sum256([]byte(strings.Join(lines, "\n")))); !strings.Contains(string(generated), sum) {
		t.Error("../../python/src/inkling/_estimators.py is not up to date with the catalog: go build ./cmd/inkling, then python/generate --binary ./inkling")
	}
}
