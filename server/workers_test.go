package server_test

import (
	"context"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/support/longtest"
	"github.com/inklinghq/inkling/server"
)

// numbered returns a file of clusters with these by number, in the order of the rows: better names are proposed some time after a fit.
func numbered(file string) string {
	number := map[string]string{}
	var lines []string
	for line := range strings.Lines(file) {
		id, name, _ := strings.Cut(strings.TrimSpace(line), ",")
		if number[name] == "" {
			number[name] = strconv.Itoa(len(number))
		}
		lines = append(lines, id+" "+number[name])
	}
	return strings.Join(lines, "\n")
}

// What the page shows does not depend on the number of workers: the first clusters, the questions, what answers make of them, and the exports.
func TestSameBitsOnAnyWorkers(t *testing.T) {
	t.Parallel()
	var want []string
	for _, workers := range longtest.Size([]int{1, 3}, []int{1, 7}, []int{1, 2, 3, 7, 16}) {
		s, err := server.New(server.Options{Folder: t.TempDir(), Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		c := serve(t, s)
		if err := s.OpenExample(context.Background(), "wine"); err != nil {
			t.Fatal(err)
		}
		c.settled()
		var got []string
		look := func() {
			for _, path := range []string{"clusters.csv", "links.csv", "labels.csv"} {
				status, file := c.do("GET", "api/export/"+path, nil)
				if status != 200 {
					t.Fatalf("%s: status %d", path, status)
				}
				text := string(file)
				if path == "clusters.csv" {
					text = numbered(text)
				}
				got = append(got, text)
			}
		}
		look()
		for _, answer := range []string{"same", "different", "different"} {
			q := c.question()
			got = append(got, q["a"].(object)["id"].(string)+" "+q["b"].(object)["id"].(string))
			c.answer(200, q, answer)
			c.settled()
		}
		look()
		c.post("fit", object{"method": "pc-kmeans", "k": 4})
		c.until("the fit", func(s object) bool { return s["fit"].(object)["method"] == "pc-kmeans" && s["running"] == nil })
		look()
		if want == nil {
			want = got
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers: %q, one: %q", workers, got, want)
		}
	}
}
