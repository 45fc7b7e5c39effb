// Command buildweb bundles the page of the web app: it reads the TypeScript in
// web/src and the code of others in web/vendor and writes web/dist, the same bytes
// each time, without Node and without a network.
//
//	go generate ./web                                    write web/dist
//	go run -C web/build . -tests DIR             bundle the tests in web/tests for Node
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	web := flag.String("web", "..", "folder with src and vendor")
	out := flag.String("o", "", "folder to write, instead of dist in the folder of -web")
	tests := flag.String("tests", "", "folder to write bundled unit tests into, instead of the page")
	plain := flag.Bool("plain", false, "do not minify, and put source maps into the files")
	flag.Parse()
	b := builder{web: *web, plain: *plain}
	var err error
	switch {
	case *tests != "":
		err = b.tests(*tests)
	case *out != "":
		err = b.page(*out)
	default:
		err = b.page(*web + "/dist")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "buildweb:", err)
		os.Exit(1)
	}
}
