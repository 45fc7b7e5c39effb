// Package mirror copies data between types of the same shape: the types of a
// public package and those of the internal one that it stands in front of. Fields
// are matched by name, so that the public type says which part of the internal
// one it promises.
package mirror

import (
	"fmt"
	"reflect"
)

// To returns src as a T: basic values converted, structs field by field, slices,
// maps and pointers element by element. Values of the same type are shared.
// Unexported fields, functions and fields that src does not have are left as they are. It
// panics where Fits, of the public type before the internal one, has an error.
func To[T any](src any) T {
	var dst T
	Into(&dst, src)
	return dst
}

// Into is To into what dst points to.
func Into(dst, src any) {
	if src == nil {
		return
	}
	set(reflect.ValueOf(dst).Elem(), reflect.ValueOf(src))
}

func set(dst, src reflect.Value) {
	if dst.Type() == src.Type() {
		dst.Set(src)
		return
	}
	switch dst.Kind() {
	case reflect.Pointer:
		if !src.IsNil() {
			dst.Set(reflect.New(dst.Type().Elem()))
			set(dst.Elem(), src.Elem())
		}
	case reflect.Slice:
		if !src.IsNil() {
			dst.Set(reflect.MakeSlice(dst.Type(), src.Len(), src.Len()))
			for i := range src.Len() {
				set(dst.Index(i), src.Index(i))
			}
		}
	case reflect.Map:
		if !src.IsNil() {
			dst.Set(reflect.MakeMapWithSize(dst.Type(), src.Len()))
			for it := src.MapRange(); it.Next(); {
				k, v := reflect.New(dst.Type().Key()).Elem(), reflect.New(dst.Type().Elem()).Elem()
				set(k, it.Key())
				set(v, it.Value())
				dst.SetMapIndex(k, v)
			}
		}
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(dst.Type()) {
			if len(f.Index) == 1 && f.IsExported() && f.Type.Kind() != reflect.Func {
				if from := src.FieldByName(f.Name); from.IsValid() {
					set(dst.FieldByIndex(f.Index), from)
				}
			}
		}
	default:
		dst.Set(src.Convert(dst.Type()))
	}
}

// Fits says whether a value of type src can be copied to one of type dst: an
// error names the first field that dst has and src has not, or has otherwise.
func Fits(dst, src reflect.Type) error {
	return fits(dst, src, dst.String(), map[[2]reflect.Type]bool{})
}

func fits(dst, src reflect.Type, at string, seen map[[2]reflect.Type]bool) error {
	pair := [2]reflect.Type{dst, src}
	if dst == src || seen[pair] {
		return nil
	}
	seen[pair] = true
	if dst.Kind() != src.Kind() {
		return fmt.Errorf("%s is a %s, the type behind it has a %s", at, dst, src)
	}
	switch dst.Kind() {
	case reflect.Pointer, reflect.Slice:
		return fits(dst.Elem(), src.Elem(), at, seen)
	case reflect.Map:
		if err := fits(dst.Key(), src.Key(), at+" (key)", seen); err != nil {
			return err
		}
		return fits(dst.Elem(), src.Elem(), at, seen)
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(dst) {
			if len(f.Index) != 1 || !f.IsExported() || f.Type.Kind() == reflect.Func {
				continue
			}
			behind, ok := src.FieldByName(f.Name)
			if !ok {
				return fmt.Errorf("%s.%s: the type behind it, %s, has no such field", at, f.Name, src)
			}
			if err := fits(f.Type, behind.Type, at+"."+f.Name, seen); err != nil {
				return err
			}
		}
		return nil
	case reflect.Array, reflect.Interface, reflect.Func, reflect.Chan:
		return fmt.Errorf("%s is a %s, the type behind it has a %s", at, dst, src)
	}
	return nil
}
