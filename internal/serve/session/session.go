// Package session is the memory of a piece of work on one table: what a person said
// about its rows, question by question, and the clusterings that followed. It is a file
// of JSON lines that only grows, so that nothing is lost, not even what was undone, and
// that gives the same clusters whenever it is replayed.
//
//	s, err := session.Create("work.jsonl", header)
//	e, err := s.Append(session.Event{Op: session.OpMust, A: "c17", B: "c98"})
//	r, err := s.Fit(ctx, inkling.Options{})
//
// event.go has the lines, file.go reads them, effect.go says which are in force,
// fit.go clusters and replays, export.go writes labels and links.
package session

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/prepare"
)

// A Session is a file that is open for writing, or was read. Its methods may be called
// by several goroutines.
type Session struct {
	path   string
	header Header
	notes  []string

	mu     sync.Mutex
	events []Event
	file   *os.File // nil: only read
	lock   *lock
	size   int64 // of the file
	failed error // the write that went wrong and could not be taken back

	last []int // the clusters of the last fit, by row; nil: none yet
	kept prepare.Kept
}

// NewHeader returns the first line for a session on the data at dataPath, which it reads
// once to hash them.
func NewHeader(ctx context.Context, dataPath string, source door.Source, t *door.Table, o door.Options) (Header, error) {
	if dataPath == "-" {
		return Header{}, &door.OptionError{Msg: "a session needs data in a file: standard input cannot be read again"}
	}
	sum, err := hashData(ctx, dataPath)
	if err != nil {
		return Header{}, err
	}
	return Header{Inkling: Format, Data: Data{Path: dataPath, SHA256: sum, Rows: t.Len()}, Source: Source{source}, Prepare: PreparationOf(o), Fit: SettingsOf(o)}, nil
}

// NewImageHeader returns the first line for a session of strokes on a photograph of so many
// pixels, which it reads once to hash it.
func NewImageHeader(ctx context.Context, path string, pixels int) (Header, error) {
	sum, err := hashData(ctx, path)
	return Header{Inkling: Format, Data: Data{Path: path, SHA256: sum, Rows: pixels}, Source: Source{door.Source{Format: "image"}}}, err
}

// hashData returns the SHA-256 of a file, a built-in file, or all files of a folder.
func hashData(ctx context.Context, path string) (string, error) {
	sum := sha256.New()
	if b, ok, err := door.Builtin(path); ok || err != nil {
		sum.Write(b)
		return fmt.Sprintf("%x", sum.Sum(nil)), err
	}
	err := filepath.WalkDir(path, func(p string, d os.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(p)
		if err != nil {
			return err
		}
		defer f.Close()
		if p != path {
			fmt.Fprintln(sum, filepath.ToSlash(strings.TrimPrefix(p, path)))
		}
		_, err = io.Copy(sum, f)
		return err
	})
	return fmt.Sprintf("%x", sum.Sum(nil)), err
}

// Create begins a session in a new file; one that exists is refused. The path of the
// data in h is as this process sees it.
func Create(path string, h Header) (*Session, error) {
	if h.Inkling == "" {
		h.Inkling = Format
	}
	if h.Created.IsZero() {
		h.Created = now()
	}
	var err error
	if h.Data.Path, err = storedPath(path, h.Data.Path); err != nil {
		return nil, err
	}
	l, err := acquire(path)
	if err != nil {
		return nil, err
	}
	s, err := create(path, h)
	if err != nil {
		l.release()
		return nil, err
	}
	s.lock = l
	return s, nil
}

// create writes the first line aside and gives it its name, so that a crash leaves either
// no session or one that can be opened. The lock is held.
func create(path string, h Header) (*Session, error) {
	line, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(path); err == nil {
		return nil, &os.PathError{Op: "create", Path: path, Err: os.ErrExist}
	}
	aside := path + ".new"
	f, err := os.OpenFile(aside, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600) // what people answered is theirs
	if err != nil {
		return nil, err
	}
	s := &Session{path: path, header: h, file: f}
	err = errors.Join(s.write(line), f.Close())
	if err == nil {
		err = os.Rename(aside, path)
	}
	if err != nil {
		os.Remove(aside)
		return nil, err
	}
	if s.file, err = os.OpenFile(path, os.O_RDWR, 0); err != nil {
		return nil, err
	}
	if err := syncFolder(filepath.Dir(path)); err != nil {
		s.file.Close()
		return nil, err
	}
	return s, nil
}

// now is the time in the file: to the millisecond, in UTC.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// storedPath returns the path of the data for a file beside which they may move.
func storedPath(session, data string) (string, error) {
	if strings.HasPrefix(data, door.BuiltinPrefix) || filepath.IsAbs(data) {
		return data, nil
	}
	from, err := filepath.Abs(filepath.Dir(session))
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(data)
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(from, to); err == nil {
		return filepath.ToSlash(rel), nil
	}
	return to, nil
}

// DataPath returns the path of the data for this process.
func (s *Session) DataPath() string {
	p := s.header.Data.Path
	if strings.HasPrefix(p, door.BuiltinPrefix) || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(filepath.Dir(s.path), filepath.FromSlash(p))
}

// Open opens a session to go on with it. Where another process works on it, the error is
// a *LockedError. A last line that was cut short is removed; Notes says so.
func Open(path string) (*Session, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	l, err := acquire(path)
	if err != nil {
		return nil, err
	}
	s, err := open(path, os.O_RDWR)
	if err != nil {
		l.release()
		return nil, err
	}
	s.lock = l
	return s, nil
}

// Read reads a session that another process may be writing. It cannot be changed.
func Read(path string) (*Session, error) {
	s, err := open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	s.file.Close()
	s.file = nil
	return s, nil
}

func open(path string, flag int) (*Session, error) {
	f, err := os.OpenFile(path, flag, 0)
	if err != nil {
		return nil, err
	}
	all, err := readAll(f, path)
	if err != nil {
		f.Close()
		return nil, err
	}
	s := &Session{path: path, header: all.header, events: all.events, file: f, size: all.size}
	if len(all.cut) > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%s: the last line was cut short and is left out; the %d events before it are whole", path, len(all.events)))
		if flag != os.O_RDONLY {
			if err := f.Truncate(all.size); err != nil {
				f.Close()
				return nil, err
			}
		}
	}
	return s, nil
}

// Notes say what was found when the session was opened.
func (s *Session) Notes() []string { return s.notes }

// Path returns the path of the file.
func (s *Session) Path() string { return s.path }

// Header returns the first line.
func (s *Session) Header() Header { return s.header }

// Events returns all events, those that were undone too.
func (s *Session) Events() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.events[:len(s.events):len(s.events)]
}

// write writes one line after the others and waits until it is on disk. A line that
// could not be written whole is taken back.
func (s *Session) write(line []byte) error {
	if s.failed != nil {
		return s.failed
	}
	line = append(line, '\n')
	_, err := s.file.WriteAt(line, s.size)
	if err == nil {
		err = s.file.Sync()
	}
	if err != nil {
		if back := s.file.Truncate(s.size); back != nil {
			s.failed = errors.Join(err, back)
		}
		return err
	}
	s.size += int64(len(line))
	return nil
}

// ErrReadOnly is the error of a change to a session that was only read.
var ErrReadOnly = errors.New("the session was opened to be read only")

// Append adds an event. When it returns without an error the event is on disk, with its
// number and time.
func (s *Session) Append(e Event) (Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.append(e)
}

func (s *Session) append(e Event) (Event, error) {
	out, err := s.appendAll([]Event{e})
	if err != nil {
		return Event{}, err
	}
	return out[0], nil
}

// AppendAll adds events that belong together, such as the labels of several rows that were
// selected: they are undone together. When it returns without an error all of them are
// on disk; with an error none is in the session.
func (s *Session) AppendAll(events []Event) ([]Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.appendAll(events)
}

func (s *Session) appendAll(events []Event) ([]Event, error) {
	if s.file == nil {
		return nil, ErrReadOnly
	}
	if len(events) == 0 {
		return nil, nil
	}
	first, at := len(s.events)+1, now()
	all, lines := s.events, []byte(nil)
	for i, e := range events {
		e.N, e.At, e.With = first+i, at, 0
		if i > 0 {
			e.With = first
		}
		if err := e.check(all); err != nil {
			return nil, err
		}
		line, err := json.Marshal(e)
		if err != nil {
			return nil, err
		}
		if len(line) >= maxLine {
			return nil, errLong
		}
		if i > 0 {
			lines = append(lines, '\n')
		}
		lines = append(lines, line...)
		e.line = line
		all = append(all, e)
	}
	if err := s.checkPlace(); err != nil {
		return nil, err
	}
	if err := s.write(lines); err != nil {
		return nil, err
	}
	s.events = all
	return all[first-1:], nil
}

func noSuchEvent(n, last int) error {
	return fmt.Errorf("there is no event %d: the last is %d", n, last)
}

// ErrNothingToUndo is the error of Undo where nothing is in force that can be undone.
var ErrNothingToUndo = errors.New("there is nothing to undo")

// Undo takes back event n, or, where n is 0, the last event in force that says something
// about rows or names. It returns the event that was taken back. Undoing an undo
// puts its event in force again.
func (s *Session) Undo(n int) (Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n == 0 {
		for i, inForce := range effects(s.events) {
			if e := &s.events[i]; inForce && e.canBeUndone() && e.Op != OpUndo && e.Op != OpMark {
				n = e.N
			}
		}
		if n == 0 {
			return Event{}, ErrNothingToUndo
		}
	}
	if n < 1 || n > len(s.events) {
		return Event{}, noSuchEvent(n, len(s.events))
	}
	if !effects(s.events)[n-1] {
		return Event{}, fmt.Errorf("event %d was undone already", n)
	}
	if _, err := s.append(Event{Op: OpUndo, Of: n}); err != nil {
		return Event{}, err
	}
	return s.events[n-1], nil
}

// Branch begins a session in a new file with the first n events of this one; n below 0
// stands for all.
func (s *Session) Branch(path string, n int) (*Session, error) {
	events := s.Events()
	if n < 0 {
		n = len(events)
	}
	if n > len(events) {
		return nil, fmt.Errorf("there is no event %d: the last is %d", n, len(events))
	}
	h := s.header
	h.Data.Path, h.Created = s.DataPath(), time.Time{}
	from, err := storedPath(path, s.path)
	if err != nil {
		return nil, err
	}
	h.From = &Origin{Session: from, N: n}
	out, err := Create(path, h)
	if err != nil {
		return nil, err
	}
	var lines []byte
	for _, e := range events[:n] {
		lines = append(append(lines, e.line...), '\n')
	}
	if n > 0 {
		err = out.write(lines[:len(lines)-1])
	}
	if err != nil {
		out.Close()
		os.Remove(path)
		return nil, err
	}
	out.events = append(out.events, events[:n]...)
	return out, nil
}

// Close ends the work on the session. What was appended is on disk already.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	s.lock.release()
	s.file = nil
	return err
}

// checkPlace reports that the file was removed or replaced, so that what is written would be
// lost.
func (s *Session) checkPlace() error {
	here, err := os.Stat(s.path)
	if err != nil {
		return err
	}
	own, err := s.file.Stat()
	if err == nil && !os.SameFile(here, own) {
		err = &fs.PathError{Op: "write", Path: s.path, Err: errors.New("another file has taken its place")}
	}
	return err
}
