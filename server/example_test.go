package server_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/inklinghq/inkling/server"
)

// A service shows its clusters under a path of its own. The program around it knows who
// people are, so that no token is needed.
func ExampleServer() {
	page, err := server.New(server.Options{Unguarded: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer page.Close()
	if err := page.Open(context.Background(), server.Data{Path: "example:iris.csv"}); err != nil {
		fmt.Println(err)
		return
	}
	service := http.NewServeMux()
	service.Handle("/clusters/", http.StripPrefix("/clusters", page))
	h := httptest.NewServer(service)
	defer h.Close()

	a, err := http.Get(h.URL + "/clusters/api/state")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Body.Close()
	state, _ := io.ReadAll(a.Body)
	fmt.Println(a.StatusCode, strings.Contains(string(state), `"rows":150`))
	// Output: 200 true
}
