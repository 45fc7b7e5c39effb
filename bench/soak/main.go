// Command soak uses the server of the page as many people at once would, for as long as is
// asked, and watches its memory and its goroutines:
//
//	go run ./bench/soak -for 10m -connections 50
//
// Every connection reads the state, questions, rows and points of a table, answers, and takes
// answers back, over loopback. A line is printed for every tenth of the time; the program
// fails where a call does, where memory that is in use grows, or where goroutines are left when
// the connections are closed. The session keeps every answer and every undo, so its memory at
// rest may grow by an entry for each, and by nothing else.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"time"

	"github.com/inklinghq/inkling/server"
)

func main() {
	connections := flag.Int("connections", 50, "connections at the same time")
	lasting := flag.Duration("for", 10*time.Minute, "how long")
	profile := flag.String("heap", "", "`FILE` for a profile of the memory in use at the end, as go tool pprof reads it")
	flag.Parse()
	if err := soak(*connections, *lasting, *profile); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

// What the session may keep of an answer or an undo, and what caches may keep in all.
const (
	perEvent = 1 << 10
	cached   = 4 << 20
)

// a person is one connection.
type person struct {
	client *http.Client
	url    string
	rng    *rand.Rand
	event  int // the last answer of this person
}

// soak runs the whole, and returns what went wrong.
func soak(connections int, lasting time.Duration, profile string) error {
	folder, err := os.MkdirTemp("", "inkling-soak-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	s, err := server.New(server.Options{Unguarded: true, Folder: folder})
	if err != nil {
		return err
	}
	if err := s.OpenExample(context.Background(), "iris"); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	before, atRest := runtime.NumGoroutine(), inUse()
	web := &http.Server{Handler: s}
	go web.Serve(listener)

	ctx, cancel := context.WithTimeout(context.Background(), lasting)
	defer cancel()
	var calls, refused, failed atomic.Int64
	var people sync.WaitGroup
	var all []*person
	for i := range connections {
		transport := &http.Transport{MaxConnsPerHost: 1}
		p := &person{client: &http.Client{Transport: transport}, url: "http://" + listener.Addr().String() + "/api/", rng: rand.New(rand.NewPCG(1, uint64(i)))}
		all = append(all, p)
		people.Go(func() {
			defer transport.CloseIdleConnections()
			for ctx.Err() == nil {
				status, err := p.callOnce(ctx)
				switch calls.Add(1); {
				case err != nil && ctx.Err() == nil, status >= 500:
					failed.Add(1)
				case status >= 400: // somebody else was first
					refused.Add(1)
				}
			}
		})
	}
	heaps := watch(ctx, lasting, &calls)
	people.Wait()
	err = web.Shutdown(context.Background())
	left, afterwards, events := settled(before), inUse(), uint64(0)
	for _, p := range all {
		events = max(events, uint64(p.event))
	}
	if profile != "" {
		if err := writeHeap(profile); err != nil {
			return err
		}
	}
	fmt.Printf("%d calls, %d refused, %d failed; %d goroutines before, %d after\n", calls.Load(), refused.Load(), failed.Load(), before, left)
	fmt.Printf("at rest %.1f MB before, %.1f after with %d answers and undos kept\n", float64(atRest)/(1<<20), float64(afterwards)/(1<<20), events)
	if closed := s.Close(); err == nil {
		err = closed
	}
	switch first, last := heaps[len(heaps)/5], heaps[len(heaps)-1]; {
	case err != nil:
		return err
	case failed.Load() > 0:
		return fmt.Errorf("%d calls failed", failed.Load())
	case left > before+2:
		return fmt.Errorf("%d goroutines are left of %d", left, before)
	case last > first+first/2+(16<<20):
		return fmt.Errorf("memory in use grew from %d to %d bytes", first, last)
	case afterwards > atRest+events*perEvent+cached:
		return fmt.Errorf("memory at rest grew from %d to %d bytes, more than %d answers and undos need", atRest, afterwards, events)
	}
	return nil
}

// watch prints and returns the memory in use ten times.
func watch(ctx context.Context, lasting time.Duration, calls *atomic.Int64) (heaps []uint64) {
	began, tick := time.Now(), time.NewTicker(max(lasting/11, time.Millisecond))
	defer tick.Stop()
	fmt.Println("  seconds     calls   in use MB   goroutines")
	for len(heaps) < 10 {
		heap := inUse()
		heaps = append(heaps, heap)
		fmt.Printf("%9.0f %9d %11.1f %12d\n", time.Since(began).Seconds(), calls.Load(), float64(heap)/(1<<20), runtime.NumGoroutine())
		select {
		case <-tick.C:
		case <-ctx.Done():
			return heaps
		}
	}
	<-ctx.Done()
	return heaps
}

// inUse returns the bytes that are in use after a collection.
func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// writeHeap writes a profile of the memory in use.
func writeHeap(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	runtime.GC()
	return errors.Join(pprof.Lookup("heap").WriteTo(f, 0), f.Close())
}

// settled waits until no more goroutines run than before, for ten seconds at most, and
// returns how many do.
func settled(before int) int {
	for range 100 {
		if runtime.NumGoroutine() <= before {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	return runtime.NumGoroutine()
}

// callOnce makes one call of those that the page makes.
func (p *person) callOnce(ctx context.Context) (status int, err error) {
	switch p.rng.IntN(6) {
	case 0:
		return p.get(ctx, "rows?limit=50", nil)
	case 1:
		return p.get(ctx, fmt.Sprintf("point?p=%d", p.rng.IntN(150)), nil)
	case 2:
		return p.get(ctx, fmt.Sprintf("history?since=%d", max(0, p.event-20)), nil)
	case 3:
		var ask struct {
			Question *struct {
				N    int
				A, B struct{ Point int }
			}
		}
		status, err := p.get(ctx, "question", &ask)
		if err != nil || ask.Question == nil {
			return status, err
		}
		q := ask.Question
		say := []string{"same", "different", "unsure", "skip"}[p.rng.IntN(4)]
		var done struct{ Event int }
		status, err = p.send(ctx, http.MethodPost, "answer", map[string]any{"n": q.N, "a": q.A.Point, "b": q.B.Point, "say": say}, &done)
		p.event = max(p.event, done.Event)
		return status, err
	case 4:
		return p.send(ctx, http.MethodPost, "undo", map[string]any{}, nil)
	}
	return p.get(ctx, "state", nil)
}

func (p *person) get(ctx context.Context, path string, to any) (int, error) {
	return p.send(ctx, http.MethodGet, path, nil, to)
}

// send makes a call and reads its reply to the end.
func (p *person) send(ctx context.Context, method, path string, body, to any) (int, error) {
	var in io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return 0, err
		}
		in = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(ctx, method, p.url+path, in)
	if err != nil {
		return 0, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	a, err := p.client.Do(r)
	if err != nil {
		return 0, err
	}
	defer a.Body.Close()
	b, err := io.ReadAll(a.Body)
	if err == nil && to != nil && a.StatusCode == http.StatusOK {
		err = json.Unmarshal(b, to)
	}
	return a.StatusCode, err
}
