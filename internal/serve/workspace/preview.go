package workspace

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/method/centroid"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// What is shown until the first fit has ended.
const (
	previewRows    = 500 // fewer rows are fitted at once
	previewSample  = 500 // rows by which the number of clusters of a preview is chosen
	previewMethod  = "kmeans"
	previewLabels  = "seeded-kmeans" // where labels name the clusters
	previewMostFor = 10              // clusters of a preview at most, where nobody says how many
)

// showPreview shows clusters of the prepared rows by k-means while the method is chosen. They are no event of the session, and
// the first fit takes their place.
func (fs *fits) showPreview(x data.Rows) {
	if fs.table.Len() < previewRows || fs.table.Input() != cluster.InputRows || x == nil || fs.kept.Latest() != nil {
		return
	}
	start := time.Now()
	set, err := fs.previewSettings(fs.jobs.ctx, x)
	if err != nil {
		return
	}
	through := len(fs.record.session.Events())
	r, err := fs.record.session.Preview(fs.jobs.ctx, fs.table, set, door.Options{Workers: fs.jobs.workers, NoSuspects: true})
	if err != nil || len(r.Clusters) > maxClusters {
		return // the fit that follows says why
	}
	f := newFit(fs.table, r, &session.Event{At: start.UTC(), Fitted: &session.Fitted{Settings: set, Through: through}}, nil)
	f.isPreview, f.seconds = true, time.Since(start).Seconds()
	labels, err := fs.record.labels()
	if err != nil {
		return
	}
	f.addMarks(fs.table, labels, fs.record.session.InForce())
	fs.kept.show(f)
	fs.jobs.changed(StateChanged)
}

// previewSettings returns how a preview is clustered: with the number of clusters that was asked for, that
// of the classes, or one that is chosen by a few rows.
func (fs *fits) previewSettings(ctx context.Context, x data.Rows) (session.Settings, error) {
	set, err := fs.settings.next(fs.kept.Latest())
	if err != nil {
		return set, err
	}
	labels, err := fs.record.labels()
	if err != nil {
		return set, err
	}
	set.Method, set.Parameters, set.Effort = previewMethod, nil, door.EffortLow
	if classes := classesAmong(labels); len(classes) > 1 {
		set.Method = previewLabels
		set.K = max(set.K, len(classes))
	}
	if set.K == 0 {
		if set.K, err = quickK(ctx, x, fs.jobs.workers); err != nil {
			return set, err
		}
	}
	set.KMin, set.KMax = 0, 0
	return set, nil
}

// quickK returns the number of clusters with the highest mean silhouette in a sample of the rows.
func quickK(ctx context.Context, x data.Rows, workers int) (int, error) {
	if n := x.Len(); n > previewSample {
		x = data.Pick(x, rand.New(rand.NewPCG(uint64(n), 9)).Perm(n)[:previewSample])
	}
	best, highest := 1, 0.0
	set := cluster.Default()
	set.Workers, set.Effort = workers, cluster.EffortLow
	for k := 2; k <= min(previewMostFor, x.Len()-1); k++ {
		r, err := cluster.Fit(ctx, &cluster.Problem{X: x, K: k}, centroid.NewKMeans(), set)
		if err != nil {
			return 0, err
		}
		s, err := score.Silhouette(ctx, x, r.Labels, score.SilhouetteOptions{Workers: workers})
		if err != nil && !errors.Is(err, score.ErrUndefined) {
			return 0, err
		}
		if err == nil && s.Mean > highest {
			best, highest = k, s.Mean
		}
	}
	return best, nil
}
