package server_test

import (
	"net/http"
	"strings"
	"testing"
)

// FuzzCalls sends any request to a server with a small table: no panic, no status of a
// fault of the server, headers as they must be.
func FuzzCalls(f *testing.F) {
	g := guard(f, 2000)
	for _, c := range g.calls() {
		if c.path == "api/stream" {
			continue // it does not end by itself
		}
		f.Add(c.method, c.target(), "application/json", "{}")
		for _, name := range c.query {
			f.Add(c.method, c.target()+"?"+name+"=1", "application/octet-stream", "a,b\n1,2\n3,4\n")
		}
		for _, name := range c.fields {
			f.Add(c.method, c.target(), "application/json", `{"`+name+`":1}`)
		}
	}
	for _, body := range []string{`answer {"a":0,"b":1,"say":"same"}`, `answer {"a":3,"b":8,"say":"different","n":2}`, `answer {"a":3,"b":7,"say":"skip"}`, `label {"points":[0,3],"label":"x"}`,
		`link {"kind":"must","a":0,"b":1}`, `link {"kind":"belief","a":0,"b":1,"weight":0.5}`, `link {"kind":"cannot","a":0,"b":1,"force":true}`, `links {"kind":"cannot","pairs":[[0,1],[2,3]]}`,
		`merge {"clusters":["0","1"]}`, `split {"points":[1,2,3]}`, `remove {"point":2}`, `accept {"points":[4]}`, `rename {"cluster":"0","name":"a"}`, `forget {"event":2}`, `forget {"points":[1]}`,
		`soften {"event":2,"weight":0.5}`, `fit {"method":"pckmeans","k":3,"seed":7}`, `fit {"kMin":2,"kMax":3,"effort":"low"}`, `fit {"method":"kmeans","parameters":{"restarts":2}}`,
		`rows {"points":[0,1,2],"sort":"b","desc":true,"limit":2,"offset":1}`, `auto {"on":false}`, `begin {"upload":"x","id":"a","drop":["b"]}`, `open {"example":"none"}`, `stroke {"label":1,"size":3,"points":[[1,1]],"erase":false}`} {
		call, body, _ := strings.Cut(body, " ")
		f.Add("POST", "/api/"+call, "application/json", body)
	}
	for _, target := range []string{"/", "/index.html", "/app.js", "/../etc/passwd", "/api/rows?sort=b&q=x&cluster=0&points=1,2", "/api/compare?from=1&to=2", "/api/pair?a=0&b=9", "/api/export/map.svg?points=1"} {
		f.Add("GET", target, "", "")
	}
	f.Fuzz(func(t *testing.T, method, target, kind, body string) {
		if strings.HasPrefix(target, "/api/stream") {
			return
		}
		g := *g
		g.t = t
		q := sent{method: method, target: target, header: http.Header{"Content-Type": {kind}}, body: strings.NewReader(body), length: int64(len(body))}
		g.send(q)
	})
}
