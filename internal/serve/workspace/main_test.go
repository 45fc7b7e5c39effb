package workspace

import (
	"flag"
	"os"
	"strconv"
	"testing"

	"github.com/inklinghq/inkling/internal/support/longtest"
)

// Sequences of acts are long, and each opens its data twice: where nobody says how many, fewer are drawn than of
// other properties.
func TestMain(m *testing.M) {
	flag.Parse()
	if checks := flag.Lookup("rapid.checks"); os.Getenv("RAPID_CHECKS") == "" && checks.Value.String() == checks.DefValue {
		if err := checks.Value.Set(strconv.Itoa(longtest.Size(10, 50, 300))); err != nil {
			panic(err)
		}
	}
	longtest.Main(m)
}
