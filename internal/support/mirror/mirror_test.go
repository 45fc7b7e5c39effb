package mirror

import (
	"reflect"
	"strings"
	"testing"
)

type word string

type inner struct {
	A    int
	B    []word
	Left string // the outer type does not promise it
}

type deep struct {
	inner2
	P *inner
	M map[word]inner
	F func()
	S []string
}

type inner2 struct{ Promoted float64 }

type outer struct {
	A int
	B []string
}

type mirrored struct {
	Promoted float64
	P        *outer
	M        map[string]outer
	F        func()
	S        []string
	hidden   int // is left alone
}

func TestTo(t *testing.T) {
	from := deep{inner2{2.5}, &inner{1, []word{"x", "y"}, "z"}, map[word]inner{"k": {A: 3}}, func() {}, []string{"s"}}
	got := To[mirrored](from)
	want := mirrored{Promoted: 2.5, P: &outer{1, []string{"x", "y"}}, M: map[string]outer{"k": {A: 3}}, S: []string{"s"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got.hidden != 0 {
		t.Errorf("an unexported field is set to %d", got.hidden)
	}
	if got := To[mirrored](deep{}); !reflect.DeepEqual(got, mirrored{}) {
		t.Errorf("zero gives %+v", got)
	}
	if got := To[*outer]((*inner)(nil)); got != nil {
		t.Errorf("nil gives %v", got)
	}
	if err := Fits(reflect.TypeFor[mirrored](), reflect.TypeFor[deep]()); err != nil {
		t.Error(err)
	}
}

func TestFitsFindsFaults(t *testing.T) {
	for want, pair := range map[string][2]reflect.Type{
		"no such field":      {reflect.TypeFor[struct{ X int }](), reflect.TypeFor[inner]()},
		"the type behind it": {reflect.TypeFor[struct{ A string }](), reflect.TypeFor[inner]()},
		".B":                 {reflect.TypeFor[struct{ B []int }](), reflect.TypeFor[inner]()},
	} {
		if err := Fits(pair[0], pair[1]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", pair, err, want)
		}
	}
}
