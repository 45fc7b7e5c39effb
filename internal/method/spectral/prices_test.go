package spectral

import (
	"testing"

	"github.com/inklinghq/inkling/internal/method/spectral/cuttest"
)

func TestPricesAreDifferencesOfTheNormalizedCut(t *testing.T) {
	cuttest.Prices(t, NewSpectral(), 0, nil)
	cuttest.Prices(t, NewSpectralLearning(), 1, editAffinities)
}
