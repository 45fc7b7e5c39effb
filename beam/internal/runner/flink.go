package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/runnerlib"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/inklinghq/inkling/beam/internal/pass"
)

// Flink runs passes on a Flink cluster, through Beam's job server for Flink. Workers are
// processes that the TaskManagers start: this program, installed on their hosts.
type Flink struct {
	Endpoint    string // host:port of the job server
	REST        string // host:port of the JobManager's REST service
	Worker      string // the path of this program on the hosts of the TaskManagers
	Parallelism int
	Name        string // of the jobs of this driver, of letters and digits; none other may have it
	Work        string // a folder for an empty file

	conn  *grpc.ClientConn
	watch io.Closer // held open while this process lives
}

// Workers returns 1: Flink decides how many units are done at a time.
func (f *Flink) Workers() int { return 1 }

// connect connects to the job server and starts the process that cancels the jobs of
// this one if it is killed.
func (f *Flink) connect() error {
	if f.conn != nil {
		return nil
	}
	conn, err := grpc.NewClient("passthrough:///"+f.Endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(1<<30)))
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, WatchCommand, f.REST, f.Name)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C is for this process alone
	if f.watch, err = cmd.StdinPipe(); err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	f.conn = conn
	return nil
}

// Close ends the watching process and the connection.
func (f *Flink) Close() {
	if f.conn != nil {
		f.watch.Close()
		f.conn.Close()
	}
}

// Run submits a job and waits for it. When ctx ends the job is cancelled.
func (f *Flink) Run(ctx context.Context, j *pass.Job, path string) error {
	if err := f.connect(); err != nil {
		return err
	}
	client := jobpb.NewJobServiceClient(f.conn)
	id, err := f.submit(ctx, client, j, path)
	if err != nil {
		if ctx.Err() != nil {
			f.cancel()
			return ctx.Err()
		}
		return fmt.Errorf("the job server at %s did not take the job: %w", f.Endpoint, err)
	}
	failure := make(chan string, 1)
	messages, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	go func() { failure <- lastError(messages, client, id) }()
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, 250*time.Millisecond) {
		select {
		case <-ctx.Done():
			f.cancel()
			return ctx.Err()
		case <-time.After(wait):
		}
		state, err := client.GetState(ctx, &jobpb.GetJobStateRequest{JobId: id})
		if err != nil {
			if ctx.Err() != nil {
				continue
			}
			return fmt.Errorf("the job server at %s does not answer: %w", f.Endpoint, err)
		}
		switch state.GetState() {
		case jobpb.JobState_DONE:
			return nil
		case jobpb.JobState_CANCELLED, jobpb.JobState_STOPPED:
			return errors.New("job cancelled on the cluster")
		case jobpb.JobState_FAILED:
			select {
			case text := <-failure:
				return fmt.Errorf("the job failed on the cluster: %s", text)
			case <-time.After(2 * time.Second):
				return errors.New("the job failed on the cluster")
			}
		}
	}
}

// submit builds the pipeline with this program as the worker, and submits it. Nothing is
// staged: the program is installed on the hosts.
func (f *Flink) submit(ctx context.Context, client jobpb.JobServiceClient, j *pass.Job, path string) (id string, err error) {
	edges, _, err := pass.NewPipeline(j, path, 1).Build()
	if err != nil {
		return "", err
	}
	config, err := json.Marshal(map[string]any{"command": f.Worker})
	if err != nil {
		return "", err
	}
	env, err := graphx.CreateEnvironment(ctx, graphx.URNEnvProcess, func(context.Context) string { return string(config) })
	if err != nil {
		return "", err
	}
	p, err := graphx.Marshal(edges, &graphx.Options{Environment: env})
	if err != nil {
		return "", err
	}
	empty := filepath.Join(f.Work, "empty")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		return "", err
	}
	if err := runnerlib.UpdateGoEnvironmentWorker(empty, p); err != nil {
		return "", err
	}
	opt := &runnerlib.JobOptions{Name: f.Name, Worker: empty, Parallelism: f.Parallelism}
	prepared, artifacts, session, err := runnerlib.Prepare(ctx, client, p, opt)
	if err != nil {
		return "", err
	}
	token, err := runnerlib.Stage(ctx, prepared, artifacts, empty, session)
	if err != nil {
		return "", err
	}
	return runnerlib.Submit(ctx, client, prepared, token)
}

// lastError returns the last error that a job reports before it ends.
func lastError(ctx context.Context, client jobpb.JobServiceClient, id string) (text string) {
	text = "no reason was given"
	stream, err := client.GetMessageStream(ctx, &jobpb.JobMessagesRequest{JobId: id})
	if err != nil {
		return text
	}
	for {
		msg, err := stream.Recv()
		if err != nil {
			return text
		}
		if m := msg.GetMessageResponse(); m.GetImportance() >= jobpb.JobMessage_JOB_MESSAGE_ERROR {
			text = strings.TrimSpace(m.GetMessageText())
		}
	}
}

// cancel cancels the jobs of this driver and waits until none runs, for ten seconds at
// most. The job server only stops waiting for a job; Flink's own REST service ends it.
func (f *Flink) cancel() {
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if left, err := cancelJobs(f.REST, f.Name); err == nil && left == 0 {
			return
		}
	}
}

// WatchCommand is the command of the process that watches a driver.
const WatchCommand = "watch-driver"

// Watch waits until standard input ends, which is when the driver has ended, and then
// cancels the jobs that it left on the cluster.
func Watch(rest, name string) {
	_, _ = io.Copy(io.Discard, os.Stdin)
	// A job that was being submitted may appear a moment later.
	for range 20 {
		_, _ = cancelJobs(rest, name)
		time.Sleep(500 * time.Millisecond)
	}
}

// cancelJobs cancels the jobs of a name and returns how many there were.
func cancelJobs(rest, name string) (running int, err error) {
	client := &http.Client{Timeout: 5 * time.Second}
	r, err := client.Get("http://" + rest + "/jobs/overview")
	if err != nil {
		return 0, err
	}
	defer r.Body.Close()
	var all struct {
		Jobs []struct{ JID, Name, State string } `json:"jobs"`
	}
	if err := json.NewDecoder(r.Body).Decode(&all); err != nil {
		return 0, err
	}
	for _, j := range all.Jobs {
		if !strings.HasPrefix(j.Name, name) || j.State == "FINISHED" || j.State == "CANCELED" || j.State == "FAILED" {
			continue
		}
		running++
		q, err := http.NewRequest(http.MethodPatch, "http://"+rest+"/jobs/"+j.JID+"?mode=cancel", nil)
		if err != nil {
			return running, err
		}
		if r, err := client.Do(q); err == nil {
			r.Body.Close()
		}
	}
	return running, nil
}
