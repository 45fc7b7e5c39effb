package flags

import (
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// Columns adds the flags that say what the columns of a table are for.
func Columns(cmd *cobra.Command, s *door.Source, plan *string) {
	f := cmd.Flags()
	f.StringSliceVar(&s.Number, "number", nil, "`COLUMNS` columns that are numbers, separated by commas")
	f.StringSliceVar(&s.Category, "category", nil, "`COLUMNS` columns that are categories")
	f.StringSliceVar(&s.Date, "date", nil, "`COLUMNS` columns that are dates")
	log := "log"
	if f.Lookup(log) != nil { // of inkling curve: a file
		log = "log-columns"
	}
	f.StringSliceVar(&s.Log, log, nil, "`COLUMNS` numbers to take the logarithm of; auto: those with a heavy tail (default), none")
	f.BoolVar(&s.DateParts, "date-parts", false, "use month, weekday and hour of dates too")
	f.StringVar(plan, "columns-plan", "", "`FILE` read the roles of columns from this CSV, or write them to it if it does not exist")
	Group(cmd, GroupData, "number", "category", "date", log, "date-parts", "columns-plan")
	Advanced(cmd, "number", "category", "date", log, "date-parts", "columns-plan")
}

// UsePlan reads the roles of columns from a file; write reports that there is none yet.
func UsePlan(s *door.Source, path string) (write bool, err error) {
	if path == "" {
		return false, nil
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	r, err := dataio.OpenSideFile(path)
	if err != nil {
		return false, err
	}
	defer r.Close()
	return false, s.UsePlan(r, path)
}
