package metric

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestJSONRefusesWhatIsNoMetric(t *testing.T) {
	for _, text := range []string{
		`{`, `{}`, `{"form":"round","features":1}`, `{"form":"diagonal","features":0}`,
		`{"form":"diagonal","features":2,"matrices":[[1]]}`, `{"form":"diagonal","features":1}`,
		`{"form":"diagonal","features":1,"matrices":[[-1]]}`, `{"form":"none","features":1,"matrices":[[1]]}`,
		`{"form":"full","features":2,"matrices":[[1,2,2,1]]}`,
		`{"form":"full","features":1,"matrices":[[1]],"prior":{"observations":-1,"target":[1]}}`,
		`{"form":"full","features":1,"matrices":[[1]],"prior":{"observations":1,"target":[0]}}`,
		`{"form":"full","features":99999999,"matrices":[[1]]}`,
	} {
		var m Learned
		if err := json.Unmarshal([]byte(text), &m); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}

func TestMetricsOfEveryFormComeBack(t *testing.T) {
	r := rng(13)
	for _, name := range FormName("").Values() {
		f, _ := FormName(name).Form()
		for _, m := range []*Learned{Identity(f, 3, 4), randomMetric(t, f, 3, 4, r)} {
			text, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			var back Learned
			if err := json.Unmarshal(text, &back); err != nil {
				t.Fatal(err)
			}
			x, y := dense(randomPoint(4, r)...), dense(randomPoint(4, r)...)
			for h := range 3 {
				if m.PairDist2(h, x, y) != back.PairDist2(h, x, y) || m.LogDet(h) != back.LogDet(h) || !reflect.DeepEqual(m.Matrix(h), back.Matrix(h)) {
					t.Errorf("%s comes back otherwise", name)
				}
			}
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte(`{"form":"diagonal","features":2,"matrices":[[1,2]]}`))
	f.Add([]byte(`{"form":"per-cluster-full","features":2,"matrices":[[2,1,1,2],[1,0,0,1]],"prior":{"observations":4,"target":[1,0,0,1]}}`))
	f.Add([]byte(`{"form":"none","features":3}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var m, again Learned
		if json.Unmarshal(text, &m) != nil {
			return
		}
		sound(t, string(text[:min(len(text), 200)]), &Learned{form: m.form, k: m.k, d: min(m.d, 64), a: m.a, logs: m.logs})
		out, err := json.Marshal(&m)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(out, &again); err != nil {
			t.Fatalf("%s was read, %s is not: %v", text, out, err)
		}
	})
}
