// What the plot is set to show.

import { signal } from '@preact/signals'

// The edges of a graph: '' for its own, 'none', or the name of a view.
export const graphView = signal('')

// The ends of the scale when a column gives the colours.
export const columnRange = signal<{ low: number; high: number } | null>(null)
