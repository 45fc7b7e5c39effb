// Opens the details of a point, and shows a pair.

import { select } from '../data/actions'
import { phoneTab, sideTab } from '../data/state'
import { plot } from '../plotpanel/handle'

export function openPoint(p: number, zoom = false): void {
  select([p])
  sideTab.value = 'selection'
  phoneTab.value = 'side'
  if (zoom) plot.value?.zoomTo(Uint32Array.of(p))
}

// Shows a pair on the plot, and stays with the question about it.
export function showPair(a: number, b: number): void {
  select([a, b])
  phoneTab.value = 'plot'
  plot.value?.zoomTo(Uint32Array.of(a, b))
}
