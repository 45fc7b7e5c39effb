package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/inklinghq/inkling/internal/support/version"
)

// materials is a software bill of materials in the form of CycloneDX 1.6.
type materials struct {
	Format       string      `json:"bomFormat"`
	Spec         string      `json:"specVersion"`
	Version      int         `json:"version"`
	Metadata     metadata    `json:"metadata"`
	Components   []component `json:"components"`
	Dependencies []dependsOn `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"` // of the commit: the bytes do not depend on the day
	Component component `json:"component"`
}

type component struct {
	Ref        string     `json:"bom-ref"`
	Type       string     `json:"type"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Licenses   []license  `json:"licenses,omitempty"`
	URL        string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type license struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependsOn struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn"`
}

// materialsOf lists what is in a program, as Go recorded it there.
func materialsOf(p *program) []byte {
	main := libraryOf(version.Module{Path: "github.com/inklinghq/inkling", Version: "v" + p.info.Version})
	main.Type, main.Name, main.Version = "application", "inkling", p.info.Version
	main.Hashes = []hash{{"SHA-256", fmt.Sprintf("%x", sha256.Sum256(p.content))}}
	main.Licenses = make([]license, 1)
	main.Licenses[0].License.ID = "Apache-2.0"
	main.Properties = []property{{"inkling:commit", p.info.Commit}, {"inkling:changed", fmt.Sprint(p.info.Changed)}, {"inkling:platform", p.info.Platform}}
	b := materials{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{p.info.Time, main}}
	b.Components = []component{libraryOf(version.Module{Path: "stdlib", Version: strings.TrimPrefix(p.info.Go, "go")})}
	for _, m := range p.info.Modules {
		b.Components = append(b.Components, libraryOf(m))
	}
	uses := dependsOn{Ref: main.Ref}
	for _, c := range b.Components {
		uses.On = append(uses.On, c.Ref)
	}
	b.Dependencies = []dependsOn{uses}
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		panic(err) // strings only
	}
	return append(text, '\n')
}

func libraryOf(m version.Module) component {
	url := "pkg:golang/" + m.Path + "@" + m.Version
	c := component{Ref: url, Type: "library", Name: m.Path, Version: m.Version, URL: url}
	if m.Sum != "" {
		c.Properties = []property{{"go:sum", m.Sum}}
	}
	return c
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[sc]e|copying|notice|patents)([.-].*)?$`)

// thirdParty returns the licences of Go and of the modules in a program, which
// have to come with it.
func thirdParty(ctx context.Context, root string, modules []version.Module) (file, error) {
	var b bytes.Buffer
	goroot, err := output(ctx, root, "go", "env", "GOROOT")
	if err != nil {
		return file{}, err
	}
	if err := appendLicences(&b, "Go and its standard library", strings.TrimSpace(string(goroot))); err != nil {
		return file{}, err
	}
	for _, m := range modules {
		said, err := output(ctx, root, "go", "mod", "download", "-json", m.Path+"@"+m.Version)
		if err != nil {
			return file{}, err
		}
		var found struct{ Dir string }
		if err := json.Unmarshal(said, &found); err != nil {
			return file{}, err
		}
		if err := appendLicences(&b, m.Path+" "+m.Version, found.Dir); err != nil {
			return file{}, err
		}
	}
	return file{"THIRD-PARTY.txt", 0o644, b.Bytes()}, nil
}

func appendLicences(b *bytes.Buffer, of, dir string) error {
	entries, err := os.ReadDir(dir) // sorted
	if err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "==== %s: %s\n\n%s\n", of, e.Name(), bytes.TrimRight(text, "\n"))
		found = true
	}
	if !found {
		return fmt.Errorf("%s has no file with its licence", of)
	}
	return nil
}
