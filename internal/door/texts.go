package door

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/internal/judge/choose"
)

// chooseWords chooses how many frequent words are left out of texts, where nothing was said about
// which words count.
func (j *job) chooseWords(ctx context.Context) error {
	if o := j.o; j.t.ds.Docs == nil || o.StopWords != "" && o.StopWords != "auto" || o.MinDF > 0 || o.MaxDF > 0 || o.MaxFeatures > 0 {
		return nil
	}
	if m, ok := j.o.Kept.Frequent(j.t.ds); ok {
		j.frequent = m
		return nil
	}
	k := j.o.K
	if j.o.KMax == 0 && k == 0 {
		k = len(j.c.classes)
	}
	var err error
	j.frequent, err = choose.FrequentWords(ctx, j.t.ds.Docs, j.prepareOptions(), k, choose.Options{Seed: j.settings.Seed, Workers: j.o.Workers,
		Progress: func(p choose.Progress) {
			j.progress(Progress{Stage: StageChoosing, Method: p.Candidate, Run: p.Fit, Runs: p.Fits})
		}})
	if err != nil {
		return err
	}
	j.o.Kept.KeepFrequent(j.t.ds, j.frequent)
	return nil
}

// nameWords is how many words name a cluster of texts.
const nameWords = 2

// nameByWords names the clusters of texts that no label names after the words that distinguish them,
// each by as many as make the names differ.
func (r *Result) nameByWords() {
	if len(r.Terms) != len(r.a.names) {
		return
	}
	names := slices.Clone(r.a.names)
	for h, terms := range r.Terms {
		if names[h] != strconv.Itoa(h) || len(terms) == 0 {
			continue
		}
		for n := min(nameWords, len(terms)); n <= len(terms); n++ {
			if name := strings.Join(terms[:n], " "); !slices.Contains(names, name) {
				names[h] = name
				break
			}
		}
	}
	r.a.names, r.Clusters = names, slices.Clone(names)
}
