package dedupe

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// DefaultThreshold is the probability from which on a pair counts as a match where
// nothing else is known.
const DefaultThreshold = 0.5

// DefaultNeighbours is with how many others a record is compared.
const DefaultNeighbours = 20

// A ThresholdSource says where a threshold comes from.
type ThresholdSource string

// The sources of thresholds.
const (
	FromDefault ThresholdSource = "default"
	FromLinks   ThresholdSource = "links"
	FromOptions ThresholdSource = "given"

	FromPrecision ThresholdSource = "precision"
)

// Options say how Entities works. The zero value has the defaults.
type Options struct {
	Threshold  float64 // the probability from which on a pair counts as a match; 0: that with the best estimated F
	Precision  float64 // where above 0: take the lowest threshold with this estimated precision
	Neighbours int     // with how many others a record is compared at most; 0: DefaultNeighbours
	Workers    int     // goroutines; below 1: one per processor. The result does not depend on it
	// Progress, if not nil, is called with the step and the part of it that is done, on the
	// goroutine that called Entities.
	Progress func(step string, part float64)
}

// An OptionError refuses an option.
type OptionError struct {
	Option string
	Msg    string
}

func (e *OptionError) Error() string { return e.Msg }

func (o *Options) check() error {
	if o.Threshold != 0 && !(o.Threshold > 0 && o.Threshold < 1) {
		return &OptionError{"threshold", "threshold must be above 0 and below 1"}
	}
	if o.Precision != 0 && !(o.Precision > 0 && o.Precision < 1) {
		return &OptionError{"precision", "precision must be above 0 and below 1"}
	}
	if o.Precision != 0 && o.Threshold != 0 {
		return &OptionError{"precision", "give a threshold or a precision, not both"}
	}
	if o.Neighbours < 0 {
		return &OptionError{"neighbours", "neighbours must be at least 0"}
	}
	return nil
}

// A Result says which records describe the same entity.
type Result struct {
	Entity        []int     // of each record; entities are numbered by their first records
	Confidence    []float64 // of each record, from 0 to 1: see Entities
	Entities      int
	Compared      int     // pairs of different records that were compared
	Threshold     float64 // the probability from which on a pair counts as a match
	ThresholdFrom ThresholdSource
	Matches       float64 // pairs that match, as the model expects
	Objective     float64 // of correlation clustering, see the comment of the package
	Fields        []Field
	Recall        float64        // part of the matches that were compared, estimated by your must-links and a wider search for some records
	Thresholds    []ThresholdRow // what other thresholds would give, ascending

	Weak []WeakGroup // entities that one weak pair holds together, the weakest first

	closed  *constraint.Closure
	d       *distinct
	pairs   []pair
	logOdds []float64
	levels  []level
	model   *linkModel
}

// A Field says what the model has learned about a field.
type Field struct {
	Name      string  `json:"name"`
	Kind      string  `json:"kind"`      // how it was compared, see Kinds
	Filled    int     `json:"filled"`    // records with a value
	Equal     float64 `json:"equal"`     // probability that the value of a match is equal,
	Different float64 `json:"different"` // and that it is different
	Agree     float64 `json:"agree"`     // by how much links changed the weight of the evidence of agreement,
	Disagree  float64 `json:"disagree"`  // and of disagreement; 0 without links
}

// Entities finds which records describe the same entity. Must-links hold and cannot-links
// are never violated; labels of different classes count as cannot-links, those of one class as
// must-links, beliefs are ignored. Contradictory constraints are a *constraint.ConflictError.
//
// The confidence of a record is 1/(1 + exp(−x)), where x is the mean weight of its pairs with
// the other records of its entity, 0 where it is alone, less the mean weight with the
// records of the next best entity, or less 0 where being alone is better.
//
// When ctx ends, its error is returned.
func Entities(ctx context.Context, r *Records, known *constraint.Set, o Options) (*Result, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	closed, err := constraint.Close(r.Len(), known)
	if err != nil {
		return nil, err
	}
	progress := func(step string) func(float64) {
		if o.Progress == nil {
			return func(float64) {}
		}
		o.Progress(step, 0)
		return func(part float64) { o.Progress(step, part) }
	}
	progress("normalising")
	d, err := newDistinct(ctx, r, o.Workers)
	if err != nil {
		return nil, err
	}
	if o.Neighbours == 0 {
		o.Neighbours = DefaultNeighbours
	}
	j := &job{Result: Result{d: d, closed: closed}, o: o, known: known}
	var x *index
	if j.pairs, x, err = candidatePairs(ctx, d, o.Neighbours, o.Workers, progress("finding candidate pairs")); err != nil {
		return nil, err
	}
	if j.levels, err = j.compareAll(ctx, j.pairs, progress("comparing pairs")); err != nil {
		return nil, err
	}
	progress("estimating probabilities")
	if err := j.estimate(ctx); err != nil {
		return nil, err
	}
	candidates := len(j.pairs)
	if err := j.complete(ctx); err != nil {
		return nil, err
	}
	j.estimateBlocking(x, candidates)
	if err := j.together(ctx); err != nil {
		return nil, err
	}
	j.chooseThreshold()
	for step := 0; ; step++ {
		if err := j.cluster(ctx, progress("clustering")); err != nil {
			return nil, err
		}
		if j.judge(); !j.stricter(step) {
			break
		}
	}
	j.describe(r)
	j.Weak = j.weakGroups()
	return &j.Result, nil
}

// job is one call of Entities.
type job struct {
	Result
	o     Options
	known *constraint.Set

	learned bool // from links
}

// compareAll returns the comparisons of pairs, one after the other.
func (j *job) compareAll(ctx context.Context, pairs []pair, done func(float64)) ([]level, error) {
	width := j.d.width()
	out := make([]level, len(pairs)*width)
	err := blocks.Each(ctx, j.o.Workers, len(pairs), func(lo, hi int) struct{} {
		for i := lo; i < hi; i++ {
			j.d.compare(pairs[i], out[i*width:(i+1)*width])
		}
		return struct{}{}
	}, func(_, hi int, _ struct{}) { done(float64(hi) / float64(len(pairs))) })
	return out, err
}

// estimate fits the model and computes the log-odds of the pairs.
func (j *job) estimate(ctx context.Context) error {
	x, err := fitMixture(ctx, j.d, j.pairs, j.levels, j.o.Workers)
	if err != nil {
		return err
	}
	j.model = newLinkModel(x)
	width := j.d.width()
	first := make([]float64, len(j.pairs))
	blocks.Rows(j.o.Workers, len(j.pairs), func(lo, hi int) {
		e := make([]float64, j.d.fields)
		for i := lo; i < hi; i++ {
			first[i] = x.total(j.pairs[i], j.levels[i*width:(i+1)*width], e)
		}
	})
	j.model.best = bests(j.d.len(), j.pairs, first)
	if examples := linkExamples(j.model, j.known); len(examples) >= leastLinks {
		sample := j.anchors()
		if linksHelp(j.model.weights, examples, sample) {
			before := j.model.weights
			j.model.weights = learnWeights(before, examples, anchorExamples(before, sample))
			anchorOffset(before, j.model.weights, examples, sample)
			j.learned = true
		}
	}
	j.logOdds, err = j.scoreAll(ctx, j.pairs, j.levels)
	return err
}

// anchors returns what the model sees of candidate pairs, evenly spaced.
func (j *job) anchors() (out [][]float64) {
	width := j.d.width()
	e := make([]float64, j.d.fields)
	for i := 0; i < len(j.pairs); i += max(1, (len(j.pairs)+anchorPairs-1)/anchorPairs) {
		in := make([]float64, len(j.model.weights))
		j.model.inputs(j.pairs[i], j.levels[i*width:(i+1)*width], e, in)
		out = append(out, in)
	}
	return out
}

// scoreAll returns the log-odds of pairs.
func (j *job) scoreAll(ctx context.Context, pairs []pair, compared []level) ([]float64, error) {
	width := j.d.width()
	out := make([]float64, len(pairs))
	blocks.Rows(j.o.Workers, len(pairs), func(lo, hi int) {
		in, e := make([]float64, len(j.model.weights)), make([]float64, j.d.fields)
		for i := lo; i < hi; i++ {
			j.model.inputs(pairs[i], compared[i*width:(i+1)*width], e, in)
			out[i] = dot(j.model.weights, in)
		}
	})
	return out, ctx.Err()
}

// weight returns the weight of a pair with these log-odds.
func (j *job) weight(logOdds float64) float64 {
	return min(max(logOdds-logit(j.Threshold), -maxWeight), maxWeight)
}

// completeParts is how many distinct records a connected part has at most for all of
// its pairs to be compared.
const completeParts = 40

// completeFrom is the log-odds from which on pairs connect such a part.
const completeFrom = -1.0

// complete compares all pairs within small connected parts of the graph of matches: these are
// the pairs that decide.
func (j *job) complete(ctx context.Context) error {
	n := j.d.len()
	trees := newForest(n)
	for i, p := range j.pairs {
		if j.logOdds[i] > completeFrom {
			trees.join(p.A, p.B)
		}
	}
	members := map[int32][]int32{}
	for u := range int32(n) {
		if r := trees.find(u); r != u {
			members[r] = append(members[r], u)
		}
	}
	have := make(map[pair]bool)
	for _, p := range j.pairs {
		if r := trees.find(p.A); r == trees.find(p.B) && len(members[r]) < completeParts {
			have[p] = true
		}
	}
	var more []pair
	for r := range int32(n) {
		list := members[r]
		if len(list) == 0 || len(list) >= completeParts {
			continue
		}
		list = append([]int32{r}, list...)
		for i, a := range list {
			for _, b := range list[i+1:] {
				if p := (pair{a, b}); !have[p] {
					more = append(more, p)
				}
			}
		}
	}
	compared, err := j.compareAll(ctx, more, func(float64) {})
	if err != nil {
		return err
	}
	scored, err := j.scoreAll(ctx, more, compared)
	if err != nil {
		return err
	}
	j.pairs, j.levels, j.logOdds = append(j.pairs, more...), append(j.levels, compared...), append(j.logOdds, scored...)
	return nil
}

// cluster clusters the records and numbers the entities.
func (j *job) cluster(ctx context.Context, done func(float64)) error {
	weights := make([]float64, len(j.pairs))
	for i, z := range j.logOdds {
		weights[i] = j.weight(z)
	}
	self := func(u int32) float64 { return j.weight(j.d.copyLogOdds(u)) }
	g := newGraph(j.d, j.closed, j.pairs, weights, self)
	cluster, err := correlate(ctx, g, j.o.Workers, done)
	if err != nil {
		return err
	}
	j.Entities = 0
	number := make([]int, len(g.size))
	for u := range number {
		number[u] = -1
	}
	j.Entity = make([]int, j.d.rows)
	for i, u := range g.node {
		c := cluster[u]
		if number[c] < 0 {
			number[c] = j.Entities
			j.Entities++
		}
		j.Entity[i] = number[c]
	}
	j.Objective = g.objective(cluster)
	j.Compared = len(j.pairs)
	sure := g.confidences(cluster)
	j.Confidence = make([]float64, j.d.rows)
	for i, u := range g.node {
		j.Confidence[i] = sure[u]
	}
	return nil
}

// describe fills in what the model has learned.
func (j *job) describe(r *Records) {
	for _, z := range j.logOdds {
		j.Matches += sigmoid(z)
	}
	x := j.model.x
	for f, name := range r.Fields {
		j.Fields = append(j.Fields, Field{Name: name, Filled: j.d.filled[f], Kind: j.d.kinds[f].String(), Equal: x.matches.alone[f][equal], Different: x.matches.alone[f][different],
			Agree: j.model.weights[secondInputs+2*f], Disagree: j.model.weights[secondInputs+2*f+1]})
	}
}

// confidences returns how sure each node is of its cluster.
func (g *graph) confidences(cluster []int32) []float64 {
	n := len(g.size)
	rows := make([]float64, n) // of each cluster
	for u, c := range cluster {
		rows[c] += float64(g.size[u])
	}
	type link struct {
		sum   float64
		pairs int32
	}
	ties := make([]map[int32]link, n)
	inside := make([]link, n)
	note := func(u, v int32, e edge) {
		if cluster[u] == cluster[v] {
			inside[u].sum += e.sum
			inside[u].pairs += e.pairs
			return
		}
		if g.apart(u, v) {
			return
		}
		if ties[u] == nil {
			ties[u] = map[int32]link{}
		}
		t := ties[u][cluster[v]]
		t.sum += e.sum
		t.pairs += e.pairs
		ties[u][cluster[v]] = t
	}
	for _, e := range g.edges {
		note(e.a, e.b, e)
		note(e.b, e.a, e)
	}
	out := make([]float64, n)
	for u := range n {
		size := float64(g.size[u])
		others := rows[cluster[u]] - size
		own, alone := 0.0, rows[cluster[u]] == 1
		if !alone {
			within := g.self[u]
			if g.must[u] {
				within = maxWeight
			}
			between := inside[u].sum/size + (others-float64(inside[u].pairs)/size)*uncompared
			own = ((size-1)*within + between) / (size - 1 + others)
		}
		next := math.Inf(-1)
		for c, t := range ties[u] {
			next = max(next, (t.sum+(size*rows[c]-float64(t.pairs))*uncompared)/(size*rows[c]))
		}
		if alone {
			next = max(next, -maxWeight)
		} else {
			next = max(next, 0)
		}
		out[u] = sigmoid(own - next)
	}
	return out
}
