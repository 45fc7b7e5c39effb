package spectral

// An Affinity says how edges between rows are weighed.
type Affinity string

// The affinities.
const (
	SelfTuning Affinity = "self-tuning" // by the distances that are usual around each row
	RBF        Affinity = "rbf"         // by one width for all
)

// Values returns all affinities.
func (Affinity) Values() []string { return []string{string(SelfTuning), string(RBF)} }

// A Normalisation is the matrix whose eigenvectors SpectralLearning takes.
type Normalisation string

// The normalisations.
const (
	Additive  Normalisation = "n"    // N = (A + d_max·I − D)/d_max, d_max being the largest degree
	Laplacian Normalisation = "lbar" // L̄
	None      Normalisation = "a"    // A itself
)

// Values returns all normalisations.
func (Normalisation) Values() []string {
	return []string{string(Additive), string(Laplacian), string(None)}
}
