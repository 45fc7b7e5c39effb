// Names and colours of the labels of strokes.

import { computed } from '@preact/signals'
import { clusterColour } from '../data/colours'
import { server } from '../data/state'
import { strokeLabel, usedLabels } from './tools'

export function labelColour(n: number): string {
  const given = server.value?.image?.labels?.find((l) => l.index === n)?.colour
  return given && /^#[0-9a-fA-F]{6}$/.test(given) ? given : clusterColour(n - 1, false)
}

// The name that somebody gave, else what the first two labels are for in most pictures.
export function labelName(n: number): string {
  const given = server.value?.image?.labels?.find((l) => l.index === n)?.name ?? ''
  if (given && given !== `label ${n}`) return given
  return n === 1 ? 'Object' : n === 2 ? 'Background' : `Label ${n}`
}

// The labels that are offered: those in use, at least two, and one more.
export const offered = computed(() => {
  const most = Math.max(2, strokeLabel.value, ...usedLabels.value)
  return Array.from({ length: Math.min(9, most + 1) }, (_, i) => i + 1)
})
