module github.com/inklinghq/inkling

go 1.26
