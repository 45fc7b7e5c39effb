package door

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// A table without structure is of low reliability with k given, with a warning among the notes; made-up tables with groups are not.
func TestReliabilityOfTables(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 9))
	var b strings.Builder
	b.WriteString("key,u,v,w,x,kind\n")
	for i := range 300 {
		fmt.Fprintf(&b, "k%d,%.2f,%.2f,%.2f,%.2f,%c\n", i, rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), 'A'+rng.IntN(4))
	}
	cluster := func(name string, content []byte, s Source, o Options) *Result {
		t.Helper()
		table, err := Read(context.Background(), bytes.NewReader(content), name, s)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Cluster(context.Background(), table, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	nothing := cluster("nothing.csv", []byte(b.String()), Source{}, Options{K: 4})
	if r := nothing.Reliability; r == nil || r.Level != ReliabilityLow || *r.Relevant > 1 || *r.Columns != 5 {
		t.Errorf("%+v", r)
	}
	warned := false
	for _, n := range nothing.Notes {
		warned = warned || n.Warning && strings.HasPrefix(string(n.Text), "reliability low: ")
	}
	if !warned {
		t.Errorf("no note warns: %v", nothing.Notes)
	}
	if text, err := json.Marshal(nothing); err != nil || !strings.Contains(string(text), `"reliability":{"level":"low"`) {
		t.Errorf("%s, %v", text, err)
	}
	for _, kind := range []string{"customers", "accounts", "houses", "plain numbers"} {
		name, content, source := madeUp()[kind]()
		if r := cluster(name, content, source, Options{K: 4}); r.Reliability == nil || r.Reliability.Level == ReliabilityLow {
			t.Errorf("%s: %+v", kind, r.Reliability)
		}
	}
	named := cluster("nothing.csv", []byte(b.String()), Source{}, Options{K: 4, Method: "kmeans"})
	if named.Reliability != nil {
		t.Errorf("judged unasked: %+v", named.Reliability)
	}
	if unseen := cluster("nothing.csv", []byte(b.String()), Source{}, Options{K: 4, Reliability: true, Unjudged: true}); unseen.Reliability != nil {
		t.Errorf("judged for nobody: %+v", unseen.Reliability)
	}
	if asked := cluster("nothing.csv", []byte(b.String()), Source{}, Options{K: 4, Method: "kmeans", Reliability: true}); asked.Reliability == nil || asked.Reliability.Level != ReliabilityLow {
		t.Errorf("%+v", asked.Reliability)
	}
	if few := cluster("few.csv", []byte("a,b\n1,2\n3,4\n9,9\n"), Source{}, Options{K: 2}); few.Reliability != nil {
		t.Errorf("three rows were judged: %+v", few.Reliability)
	}
}
