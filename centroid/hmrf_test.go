package centroid_test

import (
	"testing"

	"github.com/inklinghq/inkling/centroid"
	"github.com/inklinghq/inkling/cluster/clustertest"
)

func TestPC(t *testing.T) { clustertest.Run(t, centroid.NewPC()) }
