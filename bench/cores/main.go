// Command cores says what more cores than this machine has would make of a piece of
// work. It records the work on one goroutine, as if there were so many workers: every
// task that could run beside others, every merge and every stretch between, each with
// its processor time and what it waits for. Then it replays them on simulated workers.
//
//	go run ./bench/cores                    all cases at a quarter of their size
//	go run ./bench/cores -shrink 1 -cases kmeans-32,pc
//	go run ./bench/cores -cases pc -sites 8    where the serial stretches are
//	go run ./bench/cores -cases pc -cpuprofile pc.prof, then
//	go tool pprof -tagfocus stretch=serial -top pc.prof
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
)

func main() {
	o := options{}
	flag.StringVar(&o.cases, "cases", "", "the cases to run, with commas between; default all of them")
	flag.IntVar(&o.shrink, "shrink", 4, "divide rows, nodes and pairs by this")
	flag.IntVar(&o.reps, "reps", 3, "how often to record and to measure; the shortest time of each task counts")
	flag.IntVar(&o.workers, "workers", 16, "simulated workers")
	flag.BoolVar(&o.record, "record", false, "only record and replay, without measuring: where other programs keep the machine busy")
	flag.BoolVar(&o.growth, "growth", false, "instead, print what the cases cost at 1/16, 1/8, 1/4, 1/2 and all of that size, and the exponents")
	flag.IntVar(&o.sites, "sites", 0, "also print so many of the longest serial stretches and merges")
	flag.Float64Var(&o.limit, "limit", 100, "what the memory of the simulated machine gives at most, in GB/s")
	flag.StringVar(&o.profile, "cpuprofile", "", "write a CPU profile of the last recording to this file, serial stretches labelled")
	list := flag.Bool("list", false, "list the cases")
	flag.Parse()
	if *list {
		for _, c := range allCases() {
			fmt.Printf("%-16s %s\n", c.name, c.about)
		}
		return
	}
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "cores:", err)
		os.Exit(1)
	}
}

type options struct {
	cases                        string
	shrink, reps, workers, sites int
	limit                        float64
	profile                      string
	record, growth               bool
}

func (o options) run() error {
	cases := allCases()
	if o.cases != "" {
		wanted := strings.Split(o.cases, ",")
		for _, name := range wanted {
			if !slices.ContainsFunc(cases, func(c testCase) bool { return c.name == name }) {
				return fmt.Errorf("there is no case %q; -list names them", name)
			}
		}
		cases = slices.DeleteFunc(cases, func(c testCase) bool { return !slices.Contains(wanted, c.name) })
	}
	if o.growth {
		fmt.Printf("load %s; processor time on one worker, and bytes allocated\n\n| case | n/16 | n/8 | n/4 | n/2 | n | exponent of time | of memory |\n|---|---|---|---|---|---|---|---|\n", loadAverage())
		for _, c := range cases {
			if err := o.printGrowth(c); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
		return nil
	}
	m := measureModel(o.limit * 1e9)
	fmt.Printf("load %s; memory of this machine %.1f GB/s read by one core, %.1f by two; simulated: %.1f at %d workers; starting a worker %.1f µs, handing over a part %.2f µs\n\n",
		loadAverage(), m.one/1e9, m.two/1e9, m.bandwidth(o.workers)/1e9, o.workers, m.start*1e6, m.handOver*1e6)
	fmt.Printf("| case | measured 1 | 2 | ratio | others | simulated 1 | 2 | ratio | error at 2 | simulated %d | speed-up | serial share |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n", o.workers)
	for _, c := range cases {
		if err := o.runCase(c, m); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// runCase records, measures and prints one case.
func (o options) runCase(c testCase, m model) error {
	work, err := c.prepare(o.shrink)
	if err != nil {
		return err
	}
	if work.clean != nil {
		defer work.clean()
	}
	runtime.GC()
	wall, others, err := o.measureBoth(work)
	if err != nil {
		return err
	}
	recorded, err := o.recordAll(work)
	if err != nil {
		return err
	}
	one := m.replay(recorded[0], 1, work.bytes)
	many := m.replay(recorded[2], o.workers, work.bytes)
	if o.record {
		fmt.Printf("| %s | | | | | %s | | | | %s | %.1f | %.1f %% |\n", c.name, seconds(one), seconds(many), one/many, 100*recorded[2].serialShare())
		if o.sites > 0 {
			recorded[2].printSites(os.Stdout, o.sites)
		}
		return nil
	}
	two := m.replay(recorded[1], 2, work.bytes)
	fmt.Printf("| %s | %s | %s | %.2f | %.0f %% | %s | %s | %.2f | %+.0f %% | %s | %.1f | %.1f %% |\n", c.name, seconds(wall[1]), seconds(wall[2]), wall[1]/wall[2], 100*others,
		seconds(one), seconds(two), one/two, 100*(two/wall[2]-1), seconds(many), one/many, 100*recorded[2].serialShare())
	if o.sites > 0 {
		recorded[2].printSites(os.Stdout, o.sites)
	}
	return nil
}

// measureBoth returns the shortest times on one worker and on two, and which share of
// the machine other programs used during the shortest on two.
func (o options) measureBoth(w work) (wall [3]float64, others float64, err error) {
	for rep := range o.reps {
		for workers := 1; workers <= 2 && !o.record; workers++ {
			took, busy, err := measure(w, workers)
			if err != nil {
				return wall, 0, err
			}
			if rep == 0 || took < wall[workers] {
				if wall[workers] = took; workers == 2 {
					others = busy
				}
			}
		}
	}
	return wall, others, nil
}

// recordAll records the work as if there were one worker, two and all simulated ones,
// in turn, and keeps the shortest time of each stretch.
func (o options) recordAll(w work) (list [3]*recording, err error) {
	for rep := range o.reps {
		for at, workers := range []int{1, 2, o.workers} {
			if at == 1 && o.record {
				continue
			}
			stop := func() {}
			if at == 2 && rep == o.reps-1 && o.profile != "" {
				if stop, err = startProfile(o.profile); err != nil {
					return list, err
				}
			}
			r, err := record(w, workers, o.profile != "")
			stop()
			if err != nil {
				return list, err
			}
			if rep == 0 {
				list[at] = r
			} else if err := list[at].keepShortest(r); err != nil {
				return list, err
			}
		}
	}
	return list, nil
}

func startProfile(name string) (stop func(), err error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, err
	}
	return func() { pprof.StopCPUProfile(); f.Close() }, nil
}

func seconds(s float64) string {
	if s < 1 {
		return fmt.Sprintf("%.3g ms", s*1000)
	}
	return fmt.Sprintf("%.3g s", s)
}

func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	word, _, _ := strings.Cut(string(text), " ")
	return word
}
