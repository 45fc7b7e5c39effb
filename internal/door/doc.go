// Package door does the whole way from a file to a result: it reads, prepares, chooses, fits, judges and saves. The public package at
// the root of the module, the command line, sessions, the server and the engine are built on it.
package door
