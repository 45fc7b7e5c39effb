// The plot on the screen, for panels that zoom it.

import { signal } from '@preact/signals'
import type { Plot } from '../plot/plot'

export const plot = signal<Plot | null>(null)
