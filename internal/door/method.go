package door

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/choose"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/support/format"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// autoMethod is the name of the choice of a method, as is "".
const autoMethod = "auto"

// MethodAnswers is the name of the way in which answers to questions are used: the
// clusters without them, changed as little as they demand, until they show that more
// must change. Package continuity explains it.
const MethodAnswers = "answers"

// automatic reports whether the method is left open.
func (o *Options) automatic() bool {
	return o.Method == "" || o.Method == autoMethod || o.Method == MethodAnswers
}

// named is the method that was asked for, "" where it is left open.
func (o *Options) named() string {
	if o.automatic() {
		return ""
	}
	return o.Method
}

// settleMethod takes the method that was asked for.
func (j *job) settleMethod() error {
	kind := j.t.Input()
	var able []string
	for _, m := range j.o.methods() {
		if !m.Takes(kind) && !j.makesGraph(m, kind) {
			continue
		}
		able = append(able, m.Name)
		if j.o.Method == m.Name {
			j.method = m
		}
	}
	if j.method.Name == "" {
		return j.noMethod(kind, able)
	}
	if j.o.NeedModel && j.method.Saved == nil {
		return noModel(j.method.Name)
	}
	j.sayIgnored()
	if err := j.refuseKernelParameters(); err != nil {
		return err
	}
	return j.configure(j.o.Parameters)
}

// refuseKernelParameters refuses parameters for a kernel of rows where there is a
// kernel already.
func (j *job) refuseKernelParameters() error {
	if j.t.Input() != cluster.InputKernel {
		return nil
	}
	for _, name := range []string{"kernel", "width", "degree", "offset", "features", "memory"} {
		if _, given := j.o.Parameters[name]; given {
			return optionError(name, "", "%s says how a kernel is made of rows, but %s is one already", name, j.t.Name())
		}
	}
	return nil
}

// noMethod says why no method can be taken.
func (j *job) noMethod(kind cluster.Input, able []string) error {
	what := map[cluster.Input]string{cluster.InputRows: "rows of numbers", cluster.InputGraph: "a graph", cluster.InputKernel: "a kernel matrix"}[kind]
	if len(able) == 0 {
		return optionError("method", "`inkling methods` lists what there is", "%s is %s, which no method takes", j.t.Name(), what)
	}
	m, _ := j.o.methods().Find(j.o.Method)
	if advice := m.Capabilities().Else; advice != "" && kind == cluster.InputRows {
		return optionError("method", Hint(advice), "%s does not take %s directly", m.Name, what)
	}
	return optionError("method", "", "%s does not take %s; these methods do: %s", m.Name, what, format.Few(able, 10))
}

// configure sets the parameters of the method.
func (j *job) configure(given map[string]any) (err error) {
	if j.t.ds.Docs != nil && j.chosen == nil {
		given = j.documentParameters(given)
	}
	given = j.joinNoise(given)
	if j.o.Settings == PublishedSettings {
		given = j.method.WithPublished(given)
	}
	if j.alg, err = configure(j.method, given, j.recipe, j.p.K); err != nil {
		return err
	}
	if j.o.ShiftTol > 0 {
		ends, ok := j.alg.alg.(interface{ EndAtShift(float64) })
		if !ok {
			return optionError("tol", "", "%s does not end by the shift of its centres; kmeans does", j.method.Name)
		}
		ends.EndAtShift(j.o.ShiftTol)
	}
	if len(j.alg.files) > 0 && j.settings.Restarts == 0 {
		j.settings.Restarts = 1 // from the same centres every run is the same
	}
	if j.settings.Restarts == 0 && j.settings.Effort == cluster.EffortNormal && j.recipe != nil && j.recipe.Text != nil && j.method.Name == "kmeans" &&
		cluster.AutoRestarts(j.p, j.alg.alg, cluster.EffortNormal) > 1 {
		j.settings.Restarts = textStarts
	}
	return nil
}

// textStarts is how many starts k-means has on texts, where a run is cheap: rows of many words, most of them 0, have so many
// local minima that the lowest of ten is seldom near the lowest of a hundred.
const textStarts = 30

// sayIgnored says what the method does not use, and whether that is all.
func (j *job) sayIgnored() {
	name, able := j.method.Name, j.method.Capabilities()
	if unused := ignoredKinds(able, j.given()); len(unused) > 0 {
		j.notes.say("%s does not use %s; they are only checked afterwards", name, strings.Join(unused, " or "))
	}
	if n := j.known.soft; n > 0 && able.UsesKind(cluster.Labels) && !able.UsesKind(cluster.SoftSeeds) {
		j.notes.warn("%s does not use soft seeds: the weighted labels of %s are ignored ({method=seeded-kmeans} uses them)", name, format.Count(n, j.t.point()))
	}
	if able.Hard && able.UsesKind(cluster.MustLinks) && weighted(j.known.set.Must, j.known.set.Cannot) {
		j.notes.warn("%s treats every link as certain, whatever its weight ({method=pc-kmeans} uses weights)", name)
	}
	if len(j.given()) == 0 && len(able.Uses) > 0 {
		j.notes.say("no labels or links given; %s runs unsupervised", name)
	}
}

// weighted reports whether a pair has a weight other than 1.
func weighted(lists ...[]constraint.Pair) bool {
	return slices.ContainsFunc(slices.Concat(lists...), func(p constraint.Pair) bool { return p.W != 1 })
}

// given returns the kinds of constraints that there are some of.
func (j *job) given() []cluster.Kind {
	p := cluster.Problem{Constraints: j.known.set, Views: j.p.Views}
	kinds := p.Given()
	slices.Sort(kinds)
	return kinds
}

// makesGraph reports whether m, asked for by name, is set to make the graph that
// it needs of rows.
func (j *job) makesGraph(m catalog.Method, kind cluster.Input) bool {
	if j.o.Method != m.Name || kind != cluster.InputRows || j.o.Parameters["knn"] == nil {
		return false
	}
	c, err := configure(m, map[string]any{"knn": j.o.Parameters["knn"]}, nil, j.p.K)
	return err == nil && c.alg.Capabilities().Takes(kind)
}

// ignoredKinds returns the kinds among given that a method does not use.
func ignoredKinds(able cluster.Capabilities, given []cluster.Kind) (kinds []string) {
	for _, kind := range given {
		if !able.UsesKind(kind) && kind != cluster.SoftSeeds {
			kinds = append(kinds, string(kind))
		}
	}
	return kinds
}

// checkConflict lets a contradiction pass with a warning where the method weighs
// constraints or does not use those that contradict each other; otherwise it
// names a method that weighs them.
func (j *job) checkConflict(ctx context.Context) error {
	err := j.known.contradiction(ctx, j.p.Len(), j.contradictionK())
	var conflict *ConstraintError
	if !errors.As(err, &conflict) {
		return err
	}
	if weighs(j.method) && j.accepts(j.alg.alg) {
		j.notes.warn("%v%s; %s weighs the constraints and lists those that it violates", err, also(conflict.Hint), j.method.Name)
		return nil
	}
	if j.known.usedBy(j.method.Capabilities()).contradiction(ctx, j.p.Len(), j.contradictionK()) == nil {
		j.notes.warn("%v%s; %s does not use %s, so it continues", err, also(conflict.Hint), j.method.Name, strings.Join(ignoredKinds(j.method.Capabilities(), j.given()), " or "))
		return nil
	}
	return j.suggestWeighing(conflict, j.method.Capabilities().Inputs...)
}

// suggestWeighing adds a method that takes one of the inputs and weighs
// contradictory constraints to an error about them.
func (j *job) suggestWeighing(conflict *ConstraintError, inputs ...cluster.Input) error {
	for _, m := range j.o.methods() {
		if slices.ContainsFunc(inputs, m.Takes) && weighs(m) && cluster.Check(j.p, m.New()) == nil {
			weigh := hint.Sprintf("{method=%s} weighs constraints and may violate some", m.Name)
			if conflict.Hint != "" {
				weigh = conflict.Hint + "; " + weigh
			}
			conflict.Hint = weigh
			break
		}
	}
	return conflict
}

func also(h Hint) Hint {
	if h == "" {
		return ""
	}
	return "; " + h
}

// checkClasses refuses fewer clusters than there are classes among soft seeds,
// which contradict nothing, where the method needs one for each.
func (j *job) checkClasses() error {
	if j.known.soft > 0 && j.p.K > 0 && len(j.known.set.Names) > j.p.K && !j.accepts(j.alg.alg) {
		return j.tooManyClasses(j.p.K)
	}
	return nil
}

// tooManyClasses says that k clusters are fewer than the classes of labels and soft seeds.
func (j *job) tooManyClasses(k int) error {
	n := len(j.known.set.Names)
	return &ConstraintError{Msg: fmt.Sprintf("labels and soft seeds name %d classes, more than %s", n, format.Count(k, "cluster")),
		Hint: Hint(fmt.Sprintf("{k=%d} has a cluster for each class", n))}
}

// accepts reports whether alg takes the constraints as they are: some that weigh
// pairs still need a cluster for each class, or must-links that agree.
func (j *job) accepts(alg cluster.Algorithm) bool {
	err := cluster.Check(j.p, alg)
	var bad *cluster.ProblemError
	var conflict *constraint.ConflictError
	return !errors.As(err, &conflict) && !(errors.As(err, &bad) && bad.Field == "constraints")
}

// weighs reports whether m violates constraints that cost too much, so that it
// can take contradictory ones.
func weighs(m catalog.Method) bool {
	able := m.Capabilities()
	return !able.Hard && able.UsesKind(cluster.MustLinks) && able.UsesKind(cluster.CannotLinks)
}

// usedBy returns the constraints of the kinds that a method uses, and no others.
func (b *bound) usedBy(able cluster.Capabilities) *bound {
	used, all := *b, b.set
	used.set = &constraint.Set{Names: all.Names}
	for _, kind := range able.Uses {
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

// documentParameters adds the cosine distortion, by which texts are compared,
// where the method has it and nothing else was asked for.
func (j *job) documentParameters(given map[string]any) map[string]any {
	if _, set := given["distortion"]; set || !j.method.HasParameter("distortion") {
		return given
	}
	with := choose.ForTexts(j.method, given, j.p)
	if _, cosine := with["distortion"]; cosine {
		j.notes.say("distortion cosine, as usual for documents ({distortion=euclidean} uses Euclidean distance)")
	} else if j.agrees(given) { // otherwise something else is wrong, and will be reported
		j.notes.say("%s has no cosine distance; on unit-length TF-IDF rows Euclidean distance is nearly equivalent", j.method.Name)
	}
	return with
}

// agrees reports whether the method takes the parameters, whatever the
// constraints.
func (j *job) agrees(given map[string]any) bool {
	c, err := configure(j.method, given, j.recipe, j.p.K)
	return err == nil && cluster.Check(&cluster.Problem{X: j.p.X, K: j.p.K}, c.alg) == nil
}

// sayDominantColumn says so where distances are those of one column, because
// nobody scaled the columns and no metric is learned.
func (j *job) sayDominantColumn() {
	if j.recipe == nil || j.t.ds.Docs != nil || j.o.Scale != "" || j.method.Capabilities().LearnsMetric {
		return
	}
	const alone = 0.99
	if f, share := prepare.WidestColumn(j.p.X); share > alone && f < len(j.recipe.Columns) {
		j.notes.say("column %q makes up %.0f %% or more of all squared distances; the other columns hardly count ({scale=standard} weighs columns alike)",
			j.recipe.Columns[f], 100*alone)
	}
}
