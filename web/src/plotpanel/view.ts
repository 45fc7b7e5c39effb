// Which edges a graph shows: '' for its own, 'none', or the name of a view.

import { signal } from '@preact/signals'

export const graphView = signal('')
