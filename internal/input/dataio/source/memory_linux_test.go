package source

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// What ulimit leaves is what can be taken, however much the machine has.
func TestMemoryUnderUlimit(t *testing.T) {
	const marker = "INKLING_PRINT_MEMORY"
	if os.Getenv(marker) != "" {
		os.Stdout.WriteString("memory " + strconv.FormatInt(AvailableMemory(), 10) + "\n")
		return
	}
	for _, flag := range []string{"-v", "-d"} {
		const kilobytes = 1 << 21
		cmd := exec.Command("sh", "-c", "ulimit "+flag+" "+strconv.Itoa(kilobytes)+` && exec "$0" -test.run '^TestMemoryUnderUlimit$' -test.v`, os.Args[0])
		cmd.Env = append(os.Environ(), marker+"=1")
		out, err := cmd.CombinedOutput()
		_, rest, _ := strings.Cut(string(out), "memory ")
		left, bad := strconv.ParseInt(strings.Fields(rest + " x")[0], 10, 64)
		if err != nil || bad != nil || left < 1 || left > kilobytes<<10 {
			t.Errorf("ulimit %s: %v, %v\n%s", flag, err, bad, out)
		}
	}
}

// The least of a group and those above it counts; no limit is "max", or a huge number in
// version 1.
func TestMemoryOfGroups(t *testing.T) {
	root := t.TempDir()
	write := func(dir, name, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, dir, name), []byte(content+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("a", "memory.max", "1000")
	write("a", "memory.current", "300")
	write("a", "memory.stat", "anon 1\ninactive_file 100")
	write("a/b", "memory.max", "max")
	write("a/b", "memory.current", "200")
	write("c", "memory.max", "9223372036854771712")
	write("c", "memory.current", "5")
	if left, known := leastLeft(root, "/a/b", "memory.max", "memory.current"); !known || left != 800 {
		t.Errorf("got %d, %v", left, known)
	}
	for _, path := range []string{"/c", "/none"} {
		if left, known := leastLeft(root, path, "memory.max", "memory.current"); known {
			t.Errorf("%s: got %d", path, left)
		}
	}
}
