package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// licences returns one text with the licence of every package below dir: a folder
// with a package.json that names it and its version, and a LICENSE.
func licences(dir string) ([]byte, error) {
	var parts []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "package.json" {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var of struct{ Name, Version string }
		if err := json.Unmarshal(raw, &of); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		text, err := os.ReadFile(filepath.Join(filepath.Dir(path), "LICENSE"))
		if err != nil {
			return fmt.Errorf("every package needs its licence: %w", err)
		}
		parts = append(parts, fmt.Sprintf("\n%s %s\n\n%s\n", of.Name, of.Version, bytes.TrimSpace(text)))
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(parts)
	out := []byte("This page contains code of others, under these licences.\n")
	for _, p := range parts {
		out = append(out, p...)
	}
	return out, nil
}
