package main

import "context"

func optimum(ctx context.Context, o options) error { return nil }
