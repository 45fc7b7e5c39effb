// Names and colours of the labels of strokes.

import { clusterColour } from '../data/colours'
import { server } from '../data/state'

export function labelColour(n: number): string {
  const given = server.value?.image?.labels?.find((l) => l.index === n)?.colour
  return given && /^#[0-9a-fA-F]{6}$/.test(given) ? given : clusterColour(n - 1, false)
}

export function labelName(n: number): string {
  return server.value?.image?.labels?.find((l) => l.index === n)?.name || (n === 1 ? 'Object' : n === 2 ? 'Background' : `Label ${n}`)
}
