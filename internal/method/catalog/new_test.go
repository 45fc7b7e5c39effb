package catalog

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/method/hmrf"
)

func TestNewSetsWhatIsNamed(t *testing.T) {
	a, err := New("mpc-kmeans", []byte(`{"metric": "full", "shrinkage": 2.5, "joint_reassign": false, "sweeps": 3, "log-det": "one"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := hmrf.NewMPC()
	want.Metric, want.Shrinkage, want.JointReassign, want.Sweeps, want.LogDet = "full", 2.5, false, 3, "one"
	if !reflect.DeepEqual(a, cluster.Algorithm(want)) {
		t.Errorf("%+v, wanted %+v", a, want)
	}
}

// What an algorithm is written as makes it again, for every method.
func TestNewReadsWhatIsWritten(t *testing.T) {
	for _, m := range Methods() {
		for _, text := range [][]byte{nil, []byte("{}"), written(t, m.New())} {
			if a, err := New(m.Name, text); err != nil || !reflect.DeepEqual(a, m.New()) {
				t.Errorf("%s of %s: %+v, %v", m.Name, text, a, err)
			}
		}
	}
}

func written(t *testing.T, a cluster.Algorithm) []byte {
	t.Helper()
	b, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct{ name, parameters, says string }{
		{"k-means", "", `there is no method "k-means"; did you mean "kmeans"?`},
		{"", "", "there are kmeans, seeded-kmeans"},
		{"magic", "", "there are kmeans, seeded-kmeans"},
		{"kmeans", "[]", "not a JSON object"},
		{"kmeans", `{"init": "random"`, "not a JSON object"},
		{"kmeans", `{"batchs": 3}`, `there is no parameter "batchs"; did you mean "batches"?`},
		{"kmeans", `{"Centres": null}`, `there is no parameter "Centres"`},
		{"kmeans", `{"batches": "3"}`, `batches must be an integer, got "3"`},
		{"kmeans", `{"batches": null}`, "batches must be an integer, got null"},
		{"kmeans", `{"init": "best"}`, `init must be one of k-means++`},
		{"kmeans", `{"init": "best"}`, `, got "best"`},
	} {
		a, err := New(c.name, []byte(c.parameters))
		var bad *cluster.ParameterError
		if a != nil || !errors.As(err, &bad) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s %s: %v, %v; the error should say %q", c.name, c.parameters, a, err, c.says)
		}
	}
}
