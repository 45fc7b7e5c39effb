module github.com/inklinghq/inkling

go 1.26.0

ignore ./web/tests/node_modules

require (
	github.com/klauspost/compress v1.20.3 // zstd
	github.com/parquet-go/parquet-go v0.25.1 // Parquet with few modules (arrow-go has a graph of 105); from 0.26 on it brings protobuf, and every program grows by 4 MB
	github.com/rogpeppe/go-internal v1.16.0
	github.com/spf13/cobra v1.10.2
	github.com/spf13/pflag v1.0.9
	golang.org/x/image v0.47.0 // charts as PNG: outlines of the Go font, and filling them
	golang.org/x/sys v0.49.0
	golang.org/x/term v0.47.0
	pgregory.net/rapid v1.3.0
)

require (
	github.com/andybalholm/brotli v1.1.1 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/pierrec/lz4/v4 v4.1.21 // indirect
	golang.org/x/text v0.43.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
)
