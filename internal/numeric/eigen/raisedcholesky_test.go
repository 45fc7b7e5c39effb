package eigen

import "testing"

// A matrix that rounding has made singular is factored all the same, one that
// is far from definite is not.
func TestLifted(t *testing.T) {
	nearly := &Dense{N: 3, V: []float64{1, -1, 0, -1, 1 - 1e-16, 0, 0, 0, 2}}
	if _, err := NewCholesky(t.Context(), nearly); err == nil {
		t.Fatal("the matrix is definite without help: this tests nothing")
	}
	c, err := raisedCholesky(nearly)
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{0, 0, 4}
	c.Solve(x)
	if x[2] < 1.999 || x[2] > 2.001 {
		t.Errorf("the last unknown is %v, wanted 2", x[2])
	}
	if _, err := raisedCholesky(&Dense{N: 2, V: []float64{1, 2, 2, 1}}); err == nil {
		t.Error("an indefinite matrix was factored")
	}
}
