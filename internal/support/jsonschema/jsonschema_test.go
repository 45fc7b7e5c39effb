package jsonschema_test

import (
	"encoding/json"
	"net/netip"
	"testing"
	"time"

	"github.com/inklinghq/inkling/internal/support/jsonschema"
)

type inner struct {
	X float64 `json:"x"`
	Y string  `json:"y"`
}

// Embedded is exported because encoding/json writes the fields of embedded
// pointers to exported types only.
type Embedded struct {
	Y int  `json:"name"` // hidden by the outer name
	Z bool `json:"z,omitempty"`
}

type outer struct {
	Name    string             `json:"name"`
	Count   uint8              `json:"count,omitempty"`
	List    []inner            `json:"list"`
	Pair    [2]int             `json:"pair"`
	Terms   map[string]float64 `json:"terms"`
	Maybe   *inner             `json:"maybe"`
	Any     any                `json:"any"`
	Raw     json.RawMessage    `json:"raw"`
	Time    time.Time          `json:"time"`
	Address netip.Addr         `json:"address"`
	Plain   int
	Hidden  int `json:"-"`
	private int
	inner
	*Embedded
}

// The schema of a type is that of what encoding/json writes for it.
func TestOf(t *testing.T) {
	const xy = `{"type":"object","properties":{"x":{"type":"number"},"y":{"type":"string"}},"required":["x","y"],"additionalProperties":false}`
	const xyNull = `{"type":["object","null"],"properties":{"x":{"type":"number"},"y":{"type":"string"}},"required":["x","y"],"additionalProperties":false}`
	want := `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{` +
		`"Plain":{"type":"integer"},"address":{"type":"string"},"any":{},"count":{"type":"integer"},` +
		`"list":{"type":["array","null"],"items":` + xy + `},"maybe":` + xyNull + `,"name":{"type":"string"},` +
		`"pair":{"type":"array","items":{"type":"integer"}},"raw":{},"terms":{"type":["object","null"],"additionalProperties":{"type":"number"}},` +
		`"time":{},"x":{"type":"number"},"y":{"type":"string"},"z":{"type":"boolean"}},` +
		`"required":["name","list","pair","terms","maybe","any","raw","time","address","Plain","x","y"],"additionalProperties":false}`
	if got := marshal(t, jsonschema.Of[outer]()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	_ = outer{}.private
}

// A value conforms to one of several schemas, which name the standard once.
func TestOneOf(t *testing.T) {
	one := jsonschema.OneOf(jsonschema.Of[bool]())
	if got, want := marshal(t, one), `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"boolean"}`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	two := jsonschema.OneOf(jsonschema.Of[bool](), jsonschema.Of[*int]())
	want := `{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"type":"boolean"},{"type":["integer","null"]}]}`
	if got := marshal(t, two); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
