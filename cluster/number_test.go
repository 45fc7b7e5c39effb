package cluster_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/inklinghq/inkling/cluster"
)

func TestNumberIsReadAsItIsWritten(t *testing.T) {
	for _, n := range []cluster.Number{cluster.Fixed(0), cluster.Fixed(0.1), cluster.Fixed(-3e300), cluster.ByRule("auto"), cluster.ByRule("exact")} {
		b, err := json.Marshal(n)
		if err != nil {
			t.Fatal(err)
		}
		var got cluster.Number
		if err := json.Unmarshal(b, &got); err != nil || got != n {
			t.Errorf("%v was written as %s and read as %v, %v", n, b, got, err)
		}
	}
	n := cluster.ByRule("auto")
	if err := json.Unmarshal([]byte("2.5"), &n); err != nil || n != cluster.Fixed(2.5) {
		t.Errorf("a bare number is read as %v, %v", n, err)
	}
	if err := json.Unmarshal([]byte("[]"), &n); err == nil {
		t.Error("a list is taken for a number")
	}
}

func TestNumberCheck(t *testing.T) {
	for _, c := range []struct {
		n  cluster.Number
		ok bool
	}{
		{cluster.Fixed(0), true}, {cluster.Fixed(7), true}, {cluster.ByRule("auto"), true},
		{cluster.Fixed(-1), false}, {cluster.Fixed(math.NaN()), false}, {cluster.Fixed(math.Inf(1)), false}, {cluster.ByRule("best"), false},
	} {
		if err := c.n.Check("weight", 0, "auto"); (err == nil) != c.ok {
			t.Errorf("%v: %v", c.n, err)
		}
	}
}
