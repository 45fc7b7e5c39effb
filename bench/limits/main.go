// Command limits runs every method of the command line on problems that it is not done
// with in time, with --timeout, and with a SIGTERM after a second, and prints by how much
// it overran. Nothing else should run meanwhile; on a virtual machine, a late run during
// which the host gave processor time to others is made again, and both are printed.
//
//	go run ./bench/limits               all methods, limits of 1 s and 5 s, SIGTERM after 1 s
//	go run ./bench/limits -limits 1s -methods csp,spectral
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/catalog"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A problem is a file with links, and how many clusters to make of it.
type problem struct {
	name, data, links string
	k                 int
	input             cluster.Input
}

func run(ctx context.Context) error {
	limits := flag.String("limits", "1s,5s,term", "time limits, with commas between; term: no limit, but SIGTERM after a second")
	methods := flag.String("methods", strings.Join(catalog.Names(), ","), "methods, with commas between")
	flag.Parse()
	dir, err := os.MkdirTemp("", "limits")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "inkling")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/inkling").CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	problems, err := writeProblems(dir)
	if err != nil {
		return err
	}
	fmt.Printf("%-20s %-28s %6s %8s %8s %7s %5s\n", "method", "data", "limit", "seconds", "over", "stolen", "exit")
	late, runs := 0, 0
	for _, name := range strings.Split(*methods, ",") {
		m, found := catalog.Find(name)
		if !found {
			return fmt.Errorf("there is no method %s", name)
		}
		for _, p := range problems {
			if !m.Takes(p.input) && !m.HasParameter("knn") {
				continue
			}
			for _, limit := range strings.Split(*limits, ",") {
				overran, disturbed := true, true
				for try := 0; try < mostTries && overran && disturbed; try++ {
					if overran, disturbed, err = measure(ctx, program, m, p, limit); err != nil {
						return err
					}
				}
				runs++
				if overran {
					late++
				}
			}
		}
	}
	fmt.Printf("%d of %d runs ended later than a tenth or half a second after their limit, a second after SIGTERM, or with another exit code\n", late, runs)
	return nil
}

const (
	mostTries       = 5    // of a run that is late and disturbed
	disturbingShare = 0.02 // of the processor time, given to others
)

// measure runs one method once and prints a line. It reports whether the run was late, and
// whether other machines of the host may be why.
func measure(ctx context.Context, program string, m catalog.Method, p problem, limit string) (overran, disturbed bool, err error) {
	args := []string{"cluster", p.data, "-k", fmt.Sprint(p.k), "--method", m.Name, "--links", p.links, "--quiet", "-o", filepath.Join(filepath.Dir(p.data), "out.csv")}
	if !m.Takes(p.input) {
		args = append(args, "--knn", "10")
	}
	allowed, grace := time.Second, time.Second
	if limit != "term" {
		if allowed, err = time.ParseDuration(limit); err != nil {
			return false, false, err
		}
		args = append(args, "--timeout", limit)
		grace = max(allowed/10, 500*time.Millisecond)
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGKILL) }
	stolen, began := stolenTime(), time.Now()
	if err := cmd.Start(); err != nil {
		return false, false, err
	}
	if limit == "term" {
		timer := time.AfterFunc(allowed, func() { cmd.Process.Signal(syscall.SIGTERM) })
		defer timer.Stop()
	}
	err = cmd.Wait()
	took := time.Since(began)
	share := (stolenTime() - stolen).Seconds() / (took.Seconds() * float64(runtime.NumCPU()))
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return false, false, err
	}
	codes := []int{0, 6}
	if limit == "term" {
		codes = []int{0, 130, 143}
	}
	code := cmd.ProcessState.ExitCode()
	overran = took > allowed+grace || !slices.Contains(codes, code)
	mark := ""
	if overran {
		mark = "  LATE"
	}
	fmt.Printf("%-20s %-28s %6s %8.2f %8.2f %5.0f %% %5d%s\n", m.Name, p.name, limit, took.Seconds(), max(0, (took-allowed).Seconds()), 100*share, code, mark)
	return overran, share > disturbingShare, ctx.Err()
}

// stolenTime returns how long the processors of a virtual machine have waited for those
// of the host since it was started; 0 where the system does not tell. It is the eighth
// figure in the first line of /proc/stat, in hundredths of a second.
func stolenTime() time.Duration {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(text), "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 {
		return 0
	}
	ticks, err := strconv.ParseInt(fields[8], 10, 64)
	if err != nil {
		return 0
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// writeProblems writes rows, a graph, and rows that are to be many clusters.
func writeProblems(dir string) ([]problem, error) {
	rng := rand.New(rand.NewPCG(1, 1))
	var out []problem
	for _, r := range []struct{ n, d, blobs, k int }{{3000, 50, 20, 20}, {20000, 20, 1000, 1000}} {
		x, truth, err := example.Blobs(r.n, r.blobs, r.d, 1.5, 1, rng)
		if err != nil {
			return nil, err
		}
		p := problem{name: fmt.Sprintf("%d × %d, k = %d", r.n, r.d, r.k), data: filepath.Join(dir, fmt.Sprintf("rows%d.csv", r.n)),
			links: filepath.Join(dir, fmt.Sprintf("rows%d.links.csv", r.n)), k: r.k, input: cluster.InputRows}
		err = write(p.data, func(w *bufio.Writer) {
			for j := range r.d {
				fmt.Fprintf(w, "%sx%d", strings.Repeat(",", min(j, 1)), j)
			}
			for i := range r.n {
				for j := range r.d {
					fmt.Fprintf(w, "%s%.6g", map[bool]string{true: "\n", false: ","}[j == 0], x.V[i*r.d+j])
				}
			}
			fmt.Fprintln(w)
		})
		if err == nil {
			err = writeLinks(p.links, constraint.RandomPairs(truth, 200, rng))
		}
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	const n, k = 300_000, 20
	g, truth, err := example.PlantedPartition(n, k, 8, 2, rng)
	if err != nil {
		return nil, err
	}
	p := problem{name: "graph of 300,000 nodes, k = 20", data: filepath.Join(dir, "graph.edges"), links: filepath.Join(dir, "graph.links.csv"), k: k, input: cluster.InputGraph}
	named := make([]bool, n)
	err = write(p.data, func(w *bufio.Writer) {
		for i := range n {
			to, weight := g.Neighbours(i)
			for q, j := range to {
				if int(j) > i {
					fmt.Fprintf(w, "%d\t%d\t%g\n", i, j, weight[q])
					named[i], named[j] = true, true
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	links := constraint.RandomPairs(truth, 200, rng)
	unnamed := func(q constraint.Pair) bool { return !named[q.I] || !named[q.J] }
	links.Must, links.Cannot = slices.DeleteFunc(links.Must, unnamed), slices.DeleteFunc(links.Cannot, unnamed)
	return append(out, p), writeLinks(p.links, links)
}

func writeLinks(path string, set *constraint.Set) error {
	return write(path, func(w *bufio.Writer) {
		fmt.Fprintln(w, "a,b,kind")
		for _, q := range set.Must {
			fmt.Fprintf(w, "%d,%d,must\n", q.I, q.J)
		}
		for _, q := range set.Cannot {
			fmt.Fprintf(w, "%d,%d,cannot\n", q.I, q.J)
		}
	})
}

func write(path string, content func(*bufio.Writer)) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	content(w)
	return errors.Join(w.Flush(), f.Close())
}
