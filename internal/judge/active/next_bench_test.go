package active

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// BenchmarkNextQuestion asks 200 questions for each strategy and size: ns/op is the mean
// time that the next question takes, max-ms the longest, prepare-ms what comes before the
// first, undo-ms the question after the last answer was taken back, bytes/row the memory that the preparation takes beside the rows.
func BenchmarkNextQuestion(b *testing.B) {
	const answers = 200
	for _, n := range []int{10_000, 200_000} {
		r := rand.New(rand.NewPCG(1, 0))
		const k, d = 5, 16
		x := &data.Dense{Cols: d}
		truth := make([]int, n)
		for i := range n {
			truth[i] = i % k
			for f := range d {
				x.V = append(x.V, 3*float64((truth[i]+f)%k)+2*r.NormFloat64())
			}
		}
		p := &cluster.Problem{X: x, K: k}
		for _, s := range (Strategy("")).Values() {
			b.Run(fmt.Sprintf("strategy=%s/n=%d", s, n), func(b *testing.B) {
				longest, prepare, undo, questions := time.Duration(0), time.Duration(0), time.Duration(0), 0
				var before, after runtime.MemStats
				b.StopTimer()
				for range b.N {
					runtime.ReadMemStats(&before)
					began := time.Now()
					pool, err := NewPool(context.Background(), p, 1, 0)
					if err != nil {
						b.Fatal(err)
					}
					prepare += time.Since(began)
					runtime.ReadMemStats(&after)
					a, err := New(pool, Strategy(s), k, 1)
					if err != nil {
						b.Fatal(err)
					}
					for range answers {
						began := time.Now()
						b.StartTimer()
						q, ok, err := a.Next(context.Background())
						b.StopTimer()
						if err != nil || !ok {
							b.Fatal(ok, err)
						}
						longest = max(longest, time.Since(began))
						questions++
						say := Different
						if truth[q.A] == truth[q.B] {
							say = Same
						}
						a.Record(q.A, q.B, say)
					}
					began = time.Now()
					history := slices.Clone(a.history)
					a.Forget()
					for _, h := range history[:len(history)-1] {
						a.Record(h.i, h.j, h.say)
					}
					if _, _, err := a.Next(context.Background()); err != nil {
						b.Fatal(err)
					}
					undo += time.Since(began)
					a.Close()
				}
				b.ReportMetric(float64(undo.Microseconds())/1000/float64(b.N), "undo-ms")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(questions), "ns/op")
				b.ReportMetric(float64(longest.Microseconds())/1000, "max-ms")
				b.ReportMetric(float64(prepare.Milliseconds())/float64(b.N), "prepare-ms")
				b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(n), "bytes/row")
			})
		}
	}
}
