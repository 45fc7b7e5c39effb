package score

// A Card holds all scores of one clustering, as plain data. The scores against
// the truth are always there; what was not asked for is nil.
type Card struct {
	N            int         `json:"n"`
	MI           float64     `json:"mi"`
	NMI          float64     `json:"nmi"`
	ARI          float64     `json:"ari"`
	Rand         float64     `json:"rand"`
	Precision    float64     `json:"precision"`
	Recall       float64     `json:"recall"`
	F            float64     `json:"f"`
	Homogeneity  float64     `json:"homogeneity"`
	Completeness float64     `json:"completeness"`
	V            float64     `json:"v"`
	Purity       float64     `json:"purity"`
	Silhouette   *float64    `json:"silhouette,omitempty"`
	Must         *Count      `json:"must,omitempty"`
	Cannot       *Count      `json:"cannot,omitempty"`
	Beliefs      *Count      `json:"beliefs,omitempty"`
	Labels       *LabelCount `json:"labels,omitempty"`
}

// Card returns the scores of the prediction against the truth. Every one is
// finite, whatever the labellings; the methods document their edge cases.
func (t *Table) Card() Card {
	p, mi := t.Pairs(), t.MI()
	return Card{
		N:            t.n,
		MI:           mi,
		NMI:          t.nmi(mi),
		ARI:          p.ari(),
		Rand:         p.rand(),
		Precision:    p.precision(),
		Recall:       p.recall(),
		F:            p.f(),
		Homogeneity:  t.homogeneity(mi),
		Completeness: t.completeness(mi),
		V:            t.nmi(mi), // the same number: see V
		Purity:       t.Purity(),
	}
}

// SetKept adds the satisfied constraints: must-links and cannot-links always,
// beliefs and labels where some were given.
func (c *Card) SetKept(k Kept) {
	c.Must, c.Cannot, c.Beliefs, c.Labels = &k.Must, &k.Cannot, nil, nil
	if k.Beliefs.Given > 0 {
		c.Beliefs = &k.Beliefs
	}
	if k.Labels.Given > 0 {
		c.Labels = &k.Labels
	}
}
