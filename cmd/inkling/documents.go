package main

import (
	"slices"

	"github.com/inklinghq/inkling/centroid"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/experiment"
)

const noCosine = "as it is set %s knows no cosine; of documents, rows of length 1, the two think much alike"

// measureDocuments has documents compared by the cosine, where the method as
// it is set knows it.
func (j *clusterJob) measureDocuments(distortion *methodFlag) {
	distortion.text, distortion.given = centroid.Cosine, true
	metric := j.params["metric"]
	learns := metric != nil && !metric.given && slices.Contains(metric.takes, j.chosen.Name)
	if learns {
		metric.text, metric.given = "none", true // none is learned for the cosine
	}
	if j.sound() {
		j.app.say("distortion cosine, as for documents (--distortion euclidean for the other)")
		return
	}
	distortion.given = false
	if learns {
		metric.given = false
	}
	if !j.sound() { // something else is wrong, and will be told
		return
	}
	j.app.say("distortion euclidean: "+noCosine, j.chosen.Name)
}

// sound says whether the method takes the flags as they are, whatever is known.
func (j *clusterJob) sound() bool {
	alg := j.chosen.New()
	return j.params.apply(j.chosen, alg, j.recipe, j.p.K) == nil && alg.Check(&cluster.Problem{X: j.p.X, K: j.p.K}) == nil
}

// measureDocuments returns the method of a curve, comparing documents as one
// fit would.
func (j *curveJob) measureDocuments(m experiment.Method) experiment.Method {
	with, err := m.With("distortion", centroid.Cosine)
	if err != nil {
		return m // there is nothing to choose
	}
	if plain, err := with.With("metric", "none"); err == nil {
		with = plain // none is learned for the cosine
	}
	if agree(with) {
		j.app.say("%s: distortion cosine, as for documents", m.Name)
		return with
	}
	if agree(m) {
		j.app.say("%s: distortion euclidean: "+noCosine, m.Name, m.Name)
	}
	return m
}

// agree says whether the parameters of m go together, whatever the data.
func agree(m experiment.Method) bool {
	return m.Algorithm().Check(&cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{1}}, K: 1}) == nil
}
