package runner

import (
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
)

// StartedByTaskManager reports whether arguments are those with which a TaskManager
// starts a worker.
func StartedByTaskManager(args []string) bool { return argument(args, "provision_endpoint") != "" }

// argument returns the value of --name=value; "" where it is not there.
func argument(args []string, name string) string {
	for _, a := range args {
		if v, ok := strings.CutPrefix(a, "--"+name+"="); ok {
			return v
		}
	}
	return ""
}

// Boot asks the TaskManager what a worker needs to know, and becomes that worker.
func Boot(args []string) error {
	id := argument(args, "id")
	conn, err := grpc.NewClient("passthrough:///"+argument(args, "provision_endpoint"), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(metadata.AppendToOutgoingContext(context.Background(), "worker_id", id), time.Minute)
	defer cancel()
	r, err := fnpb.NewProvisionServiceClient(conn).GetProvisionInfo(ctx, &fnpb.GetProvisionInfoRequest{}, grpc.WaitForReady(true))
	conn.Close()
	if err != nil {
		return fmt.Errorf("the provision service does not answer: %w", err)
	}
	info := r.GetInfo()
	options, err := info.GetPipelineOptions().MarshalJSON()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return syscall.Exec(self, []string{self, "--worker=true", "--id=" + id, "--logging_endpoint=" + info.GetLoggingEndpoint().GetUrl(),
		"--control_endpoint=" + info.GetControlEndpoint().GetUrl(), "--semi_persist_dir=" + os.TempDir(), "--options=" + string(options)}, os.Environ())
}

// IsWorker reports whether arguments are those of a worker.
func IsWorker(args []string) bool { return argument(args, "worker") == "true" }
