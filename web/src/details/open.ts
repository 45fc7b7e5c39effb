// Opens the details of a point or of a pair.

import { select } from '../data/actions'
import { phoneTab, sideTab } from '../data/state'
import { plot } from '../plotpanel/handle'

export function openPoint(p: number, zoom = false): void {
  select([p])
  sideTab.value = 'selection'
  phoneTab.value = 'side'
  if (zoom) plot.value?.zoomTo(Uint32Array.of(p))
}

export function openPair(a: number, b: number, zoom = true): void {
  select([a, b])
  sideTab.value = 'selection'
  if (zoom) plot.value?.zoomTo(Uint32Array.of(a, b))
}
