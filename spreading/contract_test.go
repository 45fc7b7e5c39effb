package spreading

import (
	"testing"

	"github.com/inklinghq/inkling/cluster/clustertest"
)

func TestContract(t *testing.T) {
	if testing.Short() {
		clustertest.Sample(t, NewLabelSpreading())
		return
	}
	clustertest.RunBoth(t, NewLabelSpreading())
}
