package engine_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/serve/engine"
)

// A client is the other end of an engine.
type client struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *io.PipeReader
	done chan error
}

func start(t *testing.T) *client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t, inW, outR, make(chan error, 1)}
	go func() {
		err := engine.Serve(context.Background(), inR, outW)
		outW.Close()
		c.done <- err
	}()
	var hello engine.Hello
	c.read(&hello)
	if hello.Inkling != engine.Protocol || !slices.Contains(hello.Operations, engine.OpFit) {
		t.Fatalf("the engine begins with %+v", hello)
	}
	t.Cleanup(func() {
		inW.Close()
		// Replies that a test did not wait for are read, as the engine waits until they are.
		go io.Copy(io.Discard, outR)
		select {
		case err := <-c.done:
			if err != nil {
				t.Errorf("Serve: %v", err)
			}
		case <-time.After(5 * time.Minute):
			t.Error("the engine does not end with its input")
		}
	})
	return c
}

func (c *client) send(message any) {
	c.t.Helper()
	b, err := json.Marshal(message)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := engine.WriteFrame(c.in, b); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) read(into any) {
	c.t.Helper()
	b, err := engine.ReadFrame(c.out)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		c.t.Fatalf("%v in %s", err, b)
	}
}

// A reply is one to be read.
type reply struct {
	ID    uint64          `json:"id"`
	OK    json.RawMessage `json:"ok"`
	Error *engine.Error   `json:"error"`
	Event *engine.Event   `json:"event"`
}

// call sends a request and returns its reply.
func (c *client) call(r engine.Request, into any) *engine.Error {
	c.t.Helper()
	c.send(r)
	var got reply
	c.read(&got)
	if got.ID != r.ID {
		c.t.Fatalf("the reply to %d has id %d", r.ID, got.ID)
	}
	if got.Error == nil && into != nil {
		if err := json.Unmarshal(got.OK, into); err != nil {
			c.t.Fatal(err)
		}
	}
	return got.Error
}

func floats(cols int, v ...float64) *engine.Array {
	b, _ := binary.Append(nil, binary.LittleEndian, v)
	return &engine.Array{DType: engine.Float64, Shape: []int{len(v) / cols, cols}, Bytes: b}
}

func whole(shape []int, v ...int64) *engine.Array {
	b, _ := binary.Append(nil, binary.LittleEndian, v)
	return &engine.Array{DType: engine.Int64, Shape: shape, Bytes: b}
}

func labels(t *testing.T, a *engine.Array) []int32 {
	t.Helper()
	out := make([]int32, a.Shape[0])
	if _, err := binary.Decode(a.Bytes, binary.LittleEndian, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// twoGroups are three rows near 0 and three near 10.
func twoGroups() *engine.Data {
	return &engine.Data{Rows: floats(2, 0, 0, 0, 1, 1, 0, 10, 10, 10, 11, 11, 10)}
}

// A fitted is a reply to fit, as a client reads it.
type fitted struct {
	engine.Fitted
	Result struct {
		Method     string
		Clusters   []string
		Status     string
		Violations []struct{ A, B string }
	} `json:"result"`
}

func TestFitPredictAndReport(t *testing.T) {
	c := start(t)
	var f fitted
	if err := c.call(engine.Request{ID: 1, Op: engine.OpFit, Data: twoGroups(), Options: &engine.Options{Method: "kmeans", K: 2}}, &f); err != nil {
		t.Fatal(err)
	}
	got := labels(t, f.Labels)
	if got[0] != got[1] || got[0] != got[2] || got[3] != got[4] || got[3] != got[5] || got[0] == got[3] {
		t.Fatalf("labels %v", got)
	}
	if f.Centers == nil || !slices.Equal(f.Centers.Shape, []int{2, 2}) || len(f.Model) == 0 || f.Handle == 0 {
		t.Fatalf("centres %+v, %d bytes of model, handle %d", f.Centers, len(f.Model), f.Handle)
	}
	var p engine.Predicted
	request := engine.Request{ID: 2, Op: engine.OpPredict, Model: f.Model, Costs: true, Details: true, Data: &engine.Data{Rows: floats(2, 10, 10, 0, 0)}}
	if err := c.call(request, &p); err != nil {
		t.Fatal(err)
	}
	if new := labels(t, p.Labels); new[0] != got[3] || new[1] != got[0] {
		t.Errorf("new rows are in %v, the others in %v", new, got)
	}
	costs := make([]float64, 4)
	if _, err := binary.Decode(p.Costs.Bytes, binary.LittleEndian, costs); err != nil {
		t.Fatal(err)
	}
	if want := 2.0 / 9; math.Abs(costs[got[3]]-want) > 1e-12 {
		t.Errorf("costs %v, wanted %v at %d", costs, want, got[3])
	}
	var page struct{ HTML string }
	if err := c.call(engine.Request{ID: 3, Op: engine.OpReport, Handle: f.Handle, Title: "two groups"}, &page); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(page.HTML, "two groups") {
		t.Error("the page does not have its title")
	}
	if err := c.call(engine.Request{ID: 4, Op: engine.OpRelease, Handle: f.Handle}, nil); err != nil {
		t.Fatal(err)
	}
	if err := c.call(engine.Request{ID: 5, Op: engine.OpReport, Handle: f.Handle}, &page); err == nil || err.Kind != engine.KindGone {
		t.Errorf("a released result: %v", err)
	}
	var why struct{ Text string }
	if err := c.call(engine.Request{ID: 6, Op: engine.OpExplain, Model: f.Model, Data: twoGroups(), Rows: []int{0, 5}}, &why); err != nil || why.Text == "" {
		t.Errorf("%v, text %q", err, why.Text)
	}
}

func TestConstraintsAreByRow(t *testing.T) {
	c := start(t)
	known := &engine.Constraints{
		Labels: &engine.Labels{Rows: whole([]int{2}, 0, 3), Classes: whole([]int{2}, 0, 1), Names: []string{"low", "high"}},
		Cannot: &engine.Pairs{Rows: whole([]int{1, 2}, 0, 1)},
	}
	var f fitted
	o := &engine.Options{Method: "pc-kmeans", K: 2, Parameters: map[string]any{"weight": 0.001}}
	if err := c.call(engine.Request{ID: 1, Op: engine.OpFit, Data: twoGroups(), Constraints: known, Options: o}, &f); err != nil {
		t.Fatal(err)
	}
	got := labels(t, f.Labels)
	if f.Result.Clusters[got[0]] != "low" || f.Result.Clusters[got[3]] != "high" {
		t.Errorf("labels %v of clusters %q", got, f.Result.Clusters)
	}
	if len(f.Violations) != 1 || f.Violations[0] != [2]int{0, 1} {
		t.Errorf("violations %v", f.Violations)
	}
	var judged engine.Judged
	if err := c.call(engine.Request{ID: 3, Op: engine.OpSuspects, Handle: f.Handle}, &judged); err != nil || len(judged.Rows) != 3 || len(judged.Report.Suspects) != 3 {
		t.Errorf("%v, suspects %+v", err, judged)
	}
	for name, c2 := range map[string]*engine.Constraints{
		"no such row":       {Must: &engine.Pairs{Rows: whole([]int{1, 2}, 0, 6)}},
		"not pairs":         {Must: &engine.Pairs{Rows: whole([]int{1, 3}, 0, 1, 2)}},
		"a missing array":   {Must: &engine.Pairs{}},
		"a negative row":    {Labels: &engine.Labels{Rows: whole([]int{1}, -1), Classes: whole([]int{1}, 0), Names: []string{"a"}}},
		"no such class":     {Labels: &engine.Labels{Rows: whole([]int{1}, 1), Classes: whole([]int{1}, 7), Names: []string{"a"}}},
		"too few of them":   {Labels: &engine.Labels{Rows: whole([]int{2}, 1, 2), Classes: whole([]int{1}, 0), Names: []string{"a"}}},
		"a belief beyond 1": {Beliefs: &engine.Pairs{Rows: whole([]int{1, 2}, 0, 1), Weights: &engine.Array{DType: engine.Float64, Shape: []int{1}, Bytes: []byte{0, 0, 0, 0, 0, 0, 0, 0x40}}}},
	} {
		if err := c.call(engine.Request{ID: 2, Op: engine.OpFit, Data: twoGroups(), Constraints: c2, Options: o}, nil); err == nil || err.Kind == engine.KindInternal {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Rows are called by their ids where the data have some, in arrays and in files alike.
func TestRowsWithIDs(t *testing.T) {
	c := start(t)
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte("size,kind\n1,x\n2,x\n8,y\n9,y\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	pair := &engine.Pairs{Rows: whole([]int{1, 2}, 1, 3)}
	ids := []string{"ann", "bob", "cyd", "dan"}
	for form, d := range map[string]*engine.Data{
		"rows":  {Rows: floats(1, 1, 2, 8, 9)},
		"table": {Table: &engine.Table{Path: path, Format: "csv"}},
	} {
		d.IDs = ids
		request := engine.Request{ID: 1, Op: engine.OpFit, Data: d, Constraints: &engine.Constraints{Must: pair, Cannot: pair},
			Options: &engine.Options{Method: "cop-kmeans", K: 2}}
		if err := c.call(request, nil); err == nil || !strings.Contains(err.Message, "bob and dan cannot be together") {
			t.Errorf("%s: %+v", form, err)
		}
		d.IDs = []string{"ann", "ann", "cyd", "dan"}
		if err := c.call(request, nil); err == nil || !strings.Contains(err.Message, `the id "ann" occurs twice`) {
			t.Errorf("%s, an id twice: %+v", form, err)
		}
		d.IDs = ids[:3]
		if err := c.call(request, nil); err == nil || !strings.Contains(err.Message, "3 ids for 4 rows") {
			t.Errorf("%s, too few ids: %+v", form, err)
		}
	}
}

// TestArraysInFiles holds the engine to the same labels whether an array is in the
// message or in a file.
func TestArraysInFiles(t *testing.T) {
	c := start(t)
	o := &engine.Options{Method: "kmeans", K: 2}
	var in, mapped fitted
	if err := c.call(engine.Request{ID: 1, Op: engine.OpFit, Data: twoGroups(), Options: o}, &in); err != nil {
		t.Fatal(err)
	}
	rows := twoGroups().Rows
	for _, offset := range []int{0, 8, 3} { // 3: not where a number may begin
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, append(make([]byte, offset), rows.Bytes...), 0o600); err != nil {
			t.Fatal(err)
		}
		d := &engine.Data{Rows: &engine.Array{DType: engine.Float64, Shape: rows.Shape, Path: path, Offset: int64(offset)}}
		if err := c.call(engine.Request{ID: 2, Op: engine.OpFit, Data: d, Options: o}, &mapped); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(in.Labels.Bytes, mapped.Labels.Bytes) || !bytes.Equal(in.Centers.Bytes, mapped.Centers.Bytes) {
			t.Errorf("offset %d: labels %v, wanted %v", offset, mapped.Labels, in.Labels)
		}
	}
	d := &engine.Data{Rows: &engine.Array{DType: engine.Float64, Shape: rows.Shape, Path: filepath.Join(t.TempDir(), "none")}}
	if err := c.call(engine.Request{ID: 3, Op: engine.OpFit, Data: d, Options: o}, nil); err == nil || err.Kind != engine.KindArray {
		t.Errorf("a file that does not exist: %v", err)
	}
	short := filepath.Join(t.TempDir(), "short")
	if err := os.WriteFile(short, rows.Bytes[:40], 0o600); err != nil {
		t.Fatal(err)
	}
	d.Rows.Path = short
	if err := c.call(engine.Request{ID: 4, Op: engine.OpFit, Data: d, Options: o}, nil); err == nil || err.Kind != engine.KindArray {
		t.Errorf("a file that is too short: %v", err)
	}
}

// TestArraysInParts holds the engine to the same labels whether an array is in one file or in
// several.
func TestArraysInParts(t *testing.T) {
	c := start(t)
	o := &engine.Options{Method: "kmeans", K: 3, MaxIter: new(int)}
	*o.MaxIter = 3
	page := os.Getpagesize()
	n := 3*page/16 + 5 // rows of 16 bytes: three pages and a bit
	content := make([]byte, 0, 16*n)
	for i := range 2 * n {
		content = binary.LittleEndian.AppendUint64(content, math.Float64bits(float64(i*i%1009)))
	}
	file := func(b []byte) string {
		path := filepath.Join(t.TempDir(), "part")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	fit := func(a engine.Array) (f fitted, err *engine.Error) {
		a.DType, a.Shape = engine.Float64, []int{n, 2}
		err = c.call(engine.Request{ID: 1, Op: engine.OpFit, Data: &engine.Data{Rows: &a}, Options: o}, &f)
		return f, err
	}
	want, err := fit(engine.Array{Bytes: content})
	if err != nil {
		t.Fatal(err)
	}
	for _, paths := range [][]string{
		{file(content)},
		{file(content[:page]), file(content[page:])},
		{file(content[:2*page]), file(content[2*page : 3*page]), file(content[3*page:])},
	} {
		got, err := fit(engine.Array{Paths: paths})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Labels.Bytes, want.Labels.Bytes) || !bytes.Equal(got.Centers.Bytes, want.Centers.Bytes) {
			t.Errorf("%d parts: other labels than those of the array in the message", len(paths))
		}
	}
	for name, a := range map[string]engine.Array{
		"half a page":  {Paths: []string{file(content[:page/2]), file(content[page/2:])}},
		"too short":    {Paths: []string{file(content[:page]), file(content[page : 2*page])}},
		"an empty one": {Paths: []string{file(nil), file(content)}},
		"none there":   {Paths: []string{file(content[:page]), filepath.Join(t.TempDir(), "none")}},
	} {
		if _, err := fit(a); err == nil || err.Kind != engine.KindArray {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := fit(engine.Array{Path: file(content), Paths: []string{file(content)}}); err == nil || err.Kind != engine.KindProtocol {
		t.Errorf("a path and paths: %v", err)
	}
}

func TestWrongRequests(t *testing.T) {
	c := start(t)
	for name, message := range map[string]string{
		"not JSON":         `{"id":1,`,
		"an unknown field": `{"id":1,"op":"fit","colour":"red"}`,
		"no operation":     `{"id":1,"op":"dance"}`,
		"no data":          `{"id":1,"op":"fit"}`,
		"no rows":          `{"id":1,"op":"fit","data":{}}`,
		"a shape":          `{"id":1,"op":"fit","data":{"rows":{"dtype":"<f8","shape":[-1,2]}}}`,
		"too large":        `{"id":1,"op":"fit","data":{"rows":{"dtype":"<f8","shape":[100000000000,100000000000]}}}`,
		"a type":           `{"id":1,"op":"fit","data":{"rows":{"dtype":"<c8","shape":[1,2]}}}`,
		"an option":        `{"id":1,"op":"fit","data":{"rows":{"dtype":"<f8","shape":[0,2]}},"options":{"k":-1}}`,
		"a starting point": `{"id":1,"op":"fit","data":{"sparse":{"cols":2,"start":{"dtype":"<i8","shape":[1],"bytes":"CQAAAAAAAAA="},"index":{"dtype":"<i4","shape":[0]},"values":{"dtype":"<f8","shape":[0]}}}}`,
		"no graph":         `{"id":1,"op":"fit","data":{"graph":{"cols":2}}}`,
		"no handle":        `{"id":1,"op":"next"}`,
		"no model":         `{"id":1,"op":"predict"}`,
		"no arrays":        `{"id":1,"op":"score"}`,
	} {
		if err := engine.WriteFrame(c.in, []byte(message)); err != nil {
			t.Fatal(err)
		}
		var got reply
		c.read(&got)
		if got.Error == nil || got.Error.Kind == engine.KindInternal || got.Error.Message == "" {
			t.Errorf("%s: %+v", name, got.Error)
		}
		if name != "not JSON" && got.ID != 1 {
			t.Errorf("%s: the reply has id %d", name, got.ID)
		}
	}
	var card struct{ ARI float64 }
	if err := c.call(engine.Request{ID: 9, Op: engine.OpScore, Truth: whole([]int{4}, 0, 0, 1, 1), Pred: whole([]int{4}, 1, 1, 0, 0)}, &card); err != nil || card.ARI != 1 {
		t.Errorf("%v, ARI %v after all of these", err, card.ARI)
	}
}

// TestCancelKeepsTheBestSoFar cancels a long fit while others are answered.
func TestCancelKeepsTheBestSoFar(t *testing.T) {
	c := start(t)
	n := 40000
	v := make([]float64, 0, n*8)
	for i := range n * 8 {
		v = append(v, math.Sin(float64(i)*1.7)*math.Cos(float64(i%977)))
	}
	c.send(engine.Request{ID: 1, Op: engine.OpFit, Progress: true, Data: &engine.Data{Rows: floats(8, v...)},
		Options: &engine.Options{Method: "kmeans", K: 50, Restarts: 1000, Effort: door.EffortHigh}})
	c.send(engine.Request{ID: 2, Op: engine.OpMethods})
	events, answered := 0, false
	for {
		var got reply
		c.read(&got)
		switch {
		case got.Event != nil:
			if events++; events == 3 {
				c.send(engine.Request{ID: 3, Op: engine.OpCancel, Of: 1})
			}
		case got.ID == 2:
			answered = true
		case got.ID == 1:
			var f fitted
			if got.Error != nil {
				t.Fatal(got.Error)
			}
			if err := json.Unmarshal(got.OK, &f); err != nil {
				t.Fatal(err)
			}
			if !f.Interrupted || f.Labels.Shape[0] != n || !answered {
				t.Errorf("interrupted %v, %d labels, the other request answered %v", f.Interrupted, f.Labels.Shape[0], answered)
			}
			return
		}
	}
}

func TestQuestions(t *testing.T) {
	c := start(t)
	var h struct{ Handle uint64 }
	if err := c.call(engine.Request{ID: 1, Op: engine.OpAsk, Data: twoGroups(), Options: &engine.Options{K: 2}}, &h); err != nil {
		t.Fatal(err)
	}
	asked := map[[2]int]bool{}
	for n := uint64(2); ; n += 2 {
		var next struct{ Question *engine.Question }
		if err := c.call(engine.Request{ID: n, Op: engine.OpNext, Handle: h.Handle}, &next); err != nil {
			t.Fatal(err)
		}
		q := next.Question
		if q == nil {
			break
		}
		pair := [2]int{min(q.A, q.B), max(q.A, q.B)}
		if asked[pair] || q.A == q.B || q.Why == "" {
			t.Fatalf("question %+v after %v", q, asked)
		}
		asked[pair] = true
		answer := "different"
		if (q.A < 3) == (q.B < 3) {
			answer = "same"
		}
		var said struct{ Contradicts bool }
		if err := c.call(engine.Request{ID: n + 1, Op: engine.OpAnswer, Handle: h.Handle, Rows: []int{q.A, q.B}, Answer: answer}, &said); err != nil || said.Contradicts {
			t.Fatal(err, said.Contradicts)
		}
	}
	if len(asked) == 0 || len(asked) > 9 {
		t.Errorf("%d questions about two groups of three", len(asked))
	}
	if err := c.call(engine.Request{ID: 1, Op: engine.OpForget, Handle: h.Handle}, nil); err != nil {
		t.Fatal(err)
	}
	var next struct{ Question *engine.Question }
	if err := c.call(engine.Request{ID: 1, Op: engine.OpNext, Handle: h.Handle}, &next); err != nil || next.Question == nil {
		t.Errorf("%v, question %v after all was forgotten", err, next.Question)
	}
}

// TestEndsWithItsInput closes the input in the middle of a long fit and of a message.
func TestEndsWithItsInput(t *testing.T) {
	for _, half := range []bool{false, true} {
		inR, inW := io.Pipe()
		done := make(chan error, 1)
		go func() { done <- engine.Serve(context.Background(), inR, io.Discard) }()
		v := make([]float64, 200000)
		for i := range v {
			v[i] = math.Sin(float64(i * i))
		}
		b, err := json.Marshal(engine.Request{ID: 1, Op: engine.OpFit, Data: &engine.Data{Rows: floats(4, v...)}, Options: &engine.Options{Method: "kmeans", K: 40, Restarts: 1000}})
		if err != nil {
			t.Fatal(err)
		}
		if err := engine.WriteFrame(inW, b); err != nil {
			t.Fatal(err)
		}
		if half {
			_, _ = inW.Write([]byte{10, 0, 0, 0, '{'})
		}
		inW.Close()
		select {
		case err := <-done:
			if half != (err != nil) {
				t.Errorf("half a message %v: %v", half, err)
			}
		case <-time.After(5 * time.Minute):
			t.Fatal("the engine goes on although its input has ended")
		}
	}
}

// Rows without columns are wrong data, not a fault of the engine.
func TestRowsWithoutColumns(t *testing.T) {
	c := start(t)
	err := c.call(engine.Request{ID: 1, Op: engine.OpFit, Data: &engine.Data{Rows: &engine.Array{DType: engine.Float64, Shape: []int{60, 0}, Bytes: []byte{}}}}, nil)
	if err == nil || err.Kind != engine.KindInput || !strings.Contains(err.Message, "no columns") {
		t.Errorf("got %+v", err)
	}
}

// FuzzRequest sends anything: the engine answers or refuses, and goes on.
func FuzzRequest(f *testing.F) {
	f.Add([]byte(`{"id":1,"op":"fit","data":{"rows":{"dtype":"<f8","shape":[2,1],"bytes":"AAAAAAAAAAAAAAAAAADwPw=="}},"options":{"k":2}}`))
	f.Add([]byte(`{"id":1,"op":"cancel","of":1}`))
	f.Add([]byte(`{"id":1,"op":"score","truth":{"dtype":"<i8","shape":[1],"bytes":"AAAAAAAAAAA="},"pred":{"dtype":"<i8","shape":[1],"bytes":"AAAAAAAAAAA="}}`))
	f.Fuzz(func(t *testing.T, message []byte) {
		if len(message) == 0 || bytes.Contains(message, []byte("path")) || bytes.Contains(message, []byte("init")) {
			return // files of this machine are not for the fuzzer
		}
		var in, out bytes.Buffer
		if err := engine.WriteFrame(&in, message); err != nil {
			return
		}
		if err := engine.Serve(context.Background(), &in, &out); err != nil {
			t.Fatal(err)
		}
		for range 2 { // hello, and at least one reply
			b, err := engine.ReadFrame(&out)
			if err == io.EOF {
				t.Fatal("no reply")
			}
			if err != nil || !json.Valid(b) {
				t.Fatalf("%v in %s", err, b)
			}
			if bytes.Contains(b, []byte(`"kind":"internal"`)) {
				t.Fatalf("%s\nis answered with\n%s", message, b)
			}
		}
	})
}
