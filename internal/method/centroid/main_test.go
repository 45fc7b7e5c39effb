package centroid_test

import (
	"testing"

	"github.com/inklinghq/inkling/internal/support/longtest"
)

func TestMain(m *testing.M) { longtest.Main(m) }
