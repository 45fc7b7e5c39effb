// Package tablefile writes tables in the format that the name of a file says: CSV, tab-separated
// values, JSON lines or Parquet.
package tablefile

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// endings are what the name of a file of rows may end in; the texts may be compressed.
var endings = []string{".csv", ".tsv", ".jsonl", ".parquet"}

// packings are the compressions of texts.
var packings = []string{".gz", ".zst"}

// others are endings that stand for formats that are not written.
var others = strings.Fields(".xlsx .xls .xlsm .ods .numbers .json .npy .npz .feather .arrow .orc .avro .pkl .pickle .h5 .hdf5 .sqlite .db .mat .sav .dta .sas7bdat .rds .rdata .ink .html .htm .pdf .png .svg .md .xml .yaml .yml .zip .bz2 .xz .7z .tar .tgz")

// CheckName refuses the name of a file of rows whose ending stands for a format that is not
// written: the error goes on after "output". A name without an ending, or with one that stands for no
// format, such as .out, a device and standard output are CSV.
func CheckName(path string) error {
	if _, ok := ending(path); ok {
		return nil
	}
	_, last, packed := split(path)
	return fmt.Errorf("must end in .csv, .tsv or .jsonl (also followed by .gz or .zst) or in .parquet, got %s", last+packed)
}

// CheckText refuses the name of a file of rows that people edit, which CSV and tab-separated values
// alone allow; the error goes on after what the file is.
func CheckText(path string) error {
	if format, ok := ending(path); ok && format != ".jsonl" && format != ".parquet" {
		return nil
	}
	_, last, packed := split(path)
	return fmt.Errorf("must end in .csv or .tsv, got %s", last+packed)
}

// Encode returns what writes the table that write writes, CSV with a header line and commas, as
// the name of the file says. The compression of the name is left to whoever writes the file. A
// column whose cells are all whole numbers, numbers or truth values has that type in JSON and
// Parquet; names of clusters stay texts. With escape, cells of CSV that a spreadsheet would take
// for formulas begin with an apostrophe.
func Encode(path string, escape bool, write func(io.Writer) error) func(io.Writer) error {
	if format, _ := ending(path); format == ".csv" && !escape {
		return write
	}
	return EncodeAny(path, escape, write)
}

// EncodeAny is Encode where write may also write semicolons or tabs in place of commas, as its first
// line shows, or JSON lines.
func EncodeAny(path string, escape bool, write func(io.Writer) error) func(io.Writer) error {
	format, _ := ending(path)
	switch format {
	case ".jsonl":
		return through(write, writeObjects)
	case ".parquet":
		return through(write, writeParquet)
	}
	write = through(write, func(r io.Reader, w io.Writer) error { return writeText(r, w, format) })
	if escape {
		return Escape(write)
	}
	return write
}

// split cuts a path into its name, its ending and that of a compression.
func split(path string) (name, last, packed string) {
	name = filepath.Base(path)
	if ext := strings.ToLower(filepath.Ext(name)); slices.Contains(packings, ext) {
		packed = ext
		name = name[:len(name)-len(ext)]
	}
	last = strings.ToLower(filepath.Ext(name))
	if last == name { // a hidden file
		last = ""
	}
	return name, last, packed
}

// ending returns the format that a name stands for, and whether there is one.
func ending(path string) (string, bool) {
	if path == "" || path == "-" {
		return ".csv", true
	}
	_, last, packed := split(path)
	switch last {
	case "":
		return ".csv", true
	case ".ndjson":
		last = ".jsonl"
	case ".tab":
		last = ".tsv"
	}
	if slices.Contains(endings, last) && !(last == ".parquet" && packed != "") {
		return last, true
	}
	return ".csv", last != ".parquet" && !slices.Contains(others, last)
}

// writeText copies CSV, with tabs where the format is .tsv. What is separated by semicolons stays
// so in a file called .csv, what is separated by tabs does not.
func writeText(r io.Reader, w io.Writer, format string) error {
	in := bufio.NewReaderSize(r, 1<<16)
	comma := delimiter(in)
	if first, _ := in.Peek(1); string(first) != "{" && (format == ".tsv") == (comma == '\t') {
		_, err := io.Copy(w, in)
		return err
	}
	rows, err := spool(in)
	if err != nil {
		return err
	}
	comma = ','
	if format == ".tsv" {
		comma = '\t'
	}
	return rows.writeCSV(w, comma)
}
