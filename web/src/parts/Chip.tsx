// The number of a cluster on its colour.

import { clusterMark } from '../data/state'
import { clusterColour, inkOn } from '../data/colours'
import { dark } from '../data/prefs'

export function Chip({ index }: { index: number | null }) {
  if (index === null) return <span class="chip none" aria-hidden="true">–</span>
  const colour = clusterColour(index, dark.value)
  return (
    <span class="chip" style={{ backgroundColor: colour, color: inkOn(colour) }} aria-hidden="true">
      {clusterMark(index)}
    </span>
  )
}
