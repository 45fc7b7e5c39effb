package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/catalog"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
)

// choose settles the method: the one that was asked for, or the first that
// takes this input and heeds most of what is known.
func (j *clusterJob) choose() error {
	kind := cluster.InputRows
	switch {
	case j.ds.Graph != nil:
		kind = cluster.InputGraph
	case j.ds.Kernel != nil:
		kind = cluster.InputKernel
	}
	var able []string
	best := -1
	for _, m := range catalog.Methods() {
		if !m.Takes(kind) && !j.joins(m, kind) {
			continue
		}
		able = append(able, m.Name)
		if n := heeds(m, j.know); j.asked == m.Name || j.asked == "" && n > best && (kind == cluster.InputKernel || !costly(m)) {
			j.chosen, best = m, n
		}
	}
	if j.chosen.Name == "" {
		what := map[cluster.Input]string{"rows": "rows of numbers", "graph": "a graph", "kernel": "a kernel matrix"}[kind]
		if len(able) == 0 {
			return usagef("%s is %s, and no method here takes one yet; inkling methods lists what there is", j.ds.Name, what)
		}
		if f := j.params["knn"]; kind == cluster.InputRows && f != nil && slices.Contains(f.takes, j.asked) {
			return usagef("%s does not take %s as they are; --knn 10 joins each row with its ten nearest, and cuts that graph", j.asked, what)
		}
		return usagef("%s does not take %s; %s", j.asked, what, few(able, 10)+" can")
	}
	if len(j.p.Views) > 0 {
		if err := heedsViews(j.chosen); err != nil {
			return err
		}
	}
	if j.save != "" && j.chosen.Saved == nil {
		return usagef("--save: %s cannot place new rows, so there is no model to keep; -o keeps the clusters", j.chosen.Name)
	}
	if j.asked == "" {
		j.app.say("method %s: %s (--method chooses another)", j.chosen.Name, j.chosen.Title)
	}
	j.tellUnheeded()
	if kind == cluster.InputKernel {
		for _, name := range []string{"kernel", "width", "degree", "offset", "features", "memory"} {
			if f := j.params[name]; f != nil && f.given {
				return usagef("--%s says how a kernel is made of rows, but %s is one", name, j.ds.Name)
			}
		}
	}
	j.alg = j.chosen.New()
	if f := j.params["distortion"]; j.ds.Docs != nil && f != nil && !f.given && slices.Contains(f.takes, j.chosen.Name) {
		j.measureDocuments(f)
	}
	if err := j.params.apply(j.chosen, j.alg, j.recipe, j.p.K); err != nil {
		return err
	}
	for _, f := range j.params {
		if f.file && j.set.Restarts == 0 {
			j.set.Restarts = 1 // from the same centres every run is the same
		}
	}
	return nil
}

// tellUnheeded says what the method makes nothing of, and whether that is all.
func (j *clusterJob) tellUnheeded() {
	name := j.chosen.Name
	if unused := ignored(j.chosen, j.know); len(unused) > 0 {
		j.app.say("%s does not use %s: checked afterwards, not heeded", name, strings.Join(unused, " or "))
	}
	if n := j.know.soft; n > 0 && slices.Contains(j.chosen.Uses(), cluster.Labels) && !slices.Contains(j.chosen.Uses(), cluster.SoftSeeds) {
		j.app.warn("%s does not use soft seeds: the weighed labels of %s guide nothing (seeded-kmeans, for one, would heed them)", name, count(n, j.points()))
	}
	if m := j.chosen; m.Hard() && slices.Contains(m.Uses(), cluster.MustLinks) && weighted(j.know.set.Must, j.know.set.Cannot) {
		j.app.warn("%s takes every link for certain, whatever its weight (pc-kmeans, for one, would weigh them)", name)
	}
	if len(given(j.know)) == 0 && len(j.chosen.Uses()) > 0 {
		j.app.say("nothing is known: %s has nothing to heed (--labels, --label-col and --links tell what is)", name)
	}
}

// weighted says whether a pair has a weight of its own.
func weighted(lists ...[]constraint.Pair) bool {
	return slices.ContainsFunc(slices.Concat(lists...), func(p constraint.Pair) bool { return p.W != 1 })
}

// weighConflict lets a contradiction pass with a warning where the method
// weighs what is known or does not use what contradicts itself; otherwise it
// names a method that weighs it.
func (j *clusterJob) weighConflict(err error) error {
	var conflict *exitError
	if !errors.As(err, &conflict) {
		return err
	}
	if weighs(j.chosen) && j.bears(j.alg) {
		j.app.warn("%v; %s weighs it and tells what it gave up", err, j.chosen.Name)
		return nil
	}
	if j.know.usedBy(j.chosen).contradiction(j.p.Len(), j.p.K) == nil {
		j.app.warn("%v; %s goes on, as it does not use %s", err, j.chosen.Name, strings.Join(ignored(j.chosen, j.know), " or "))
		return nil
	}
	for _, m := range catalog.Methods() {
		if slices.ContainsFunc(j.chosen.Capabilities().Inputs, m.Takes) && weighs(m) && cluster.Check(j.p, m.New()) == nil {
			return &exitError{code: exitConflict, err: fmt.Errorf("%w (--method %s would weigh it)", err, m.Name)}
		}
	}
	return err
}

// room refuses fewer clusters than there are classes among soft seeds, which
// contradict nothing, where the method needs one for each.
func (j *clusterJob) room() error {
	if n := len(j.know.set.Names); j.know.soft > 0 && n > j.p.K && !j.bears(j.alg) {
		return &exitError{code: exitConflict, err: fmt.Errorf("labels and soft seeds name %d classes, more than %s; -k %d has a cluster for each class",
			n, count(j.p.K, "cluster"), n)}
	}
	return nil
}

// bears says whether alg takes what is known as it is: some that weigh pairs
// still need a cluster for each class, or must-links that agree.
func (j *clusterJob) bears(alg cluster.Algorithm) bool {
	err := alg.Check(j.p)
	var bad *cluster.ProblemError
	var conflict *constraint.ConflictError
	return !errors.As(err, &conflict) && !(errors.As(err, &bad) && bad.Field == "constraints")
}

// weighs reports whether m gives up what costs too much, so that it can be told
// contradictory things.
func weighs(m catalog.Method) bool {
	return !m.Hard() && slices.Contains(m.Uses(), cluster.MustLinks) && slices.Contains(m.Uses(), cluster.CannotLinks)
}

// joins says whether m, asked for by name, makes the graph it needs of rows.
func (j *clusterJob) joins(m catalog.Method, kind cluster.Input) bool {
	f := j.params["knn"]
	return kind == cluster.InputRows && !m.Takes(cluster.InputRows) && j.asked == m.Name && f != nil && f.given && slices.Contains(f.takes, m.Name)
}

// costly says whether m looks at all pairs of rows: not without being asked to.
func costly(m catalog.Method) bool {
	_, ok := m.New().(cluster.CostEstimator)
	return ok
}

// given returns the kinds of knowledge that there is some of.
func given(k *knowledge) (kinds []cluster.Kind) {
	for kind, n := range map[cluster.Kind]int{
		cluster.Labels: len(k.set.Labels), cluster.MustLinks: len(k.set.Must),
		cluster.CannotLinks: len(k.set.Cannot), cluster.Beliefs: len(k.set.Beliefs), cluster.SoftSeeds: k.soft, cluster.Views: k.views,
	} {
		if n > 0 {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}

// heeds ranks m by the kinds of given knowledge that it uses, and among equals
// by whether it never violates them.
func heeds(m catalog.Method, k *knowledge) (rank int) {
	for _, kind := range given(k) {
		if slices.Contains(m.Uses(), kind) {
			rank += 2
		}
	}
	if rank > 0 && m.Hard() {
		rank++
	}
	return rank
}

// usedBy returns k with the kinds of knowledge that m uses, and no others.
func (k *knowledge) usedBy(m catalog.Method) *knowledge {
	used, all := *k, k.set
	used.set = &constraint.Set{Names: all.Names}
	for _, kind := range m.Uses() {
		switch kind {
		case cluster.Labels:
			used.set.Labels = all.Labels
		case cluster.MustLinks:
			used.set.Must = all.Must
		case cluster.CannotLinks:
			used.set.Cannot = all.Cannot
		case cluster.Beliefs:
			used.set.Beliefs = all.Beliefs
		}
	}
	return &used
}

// ignored returns the kinds of given knowledge that m does not use.
func ignored(m catalog.Method, k *knowledge) (kinds []string) {
	for _, kind := range given(k) {
		if !slices.Contains(m.Uses(), kind) && kind != cluster.SoftSeeds {
			kinds = append(kinds, string(kind))
		}
	}
	return kinds
}
