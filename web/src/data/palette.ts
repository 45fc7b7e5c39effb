// The colours of the clusters that are shown.

import { computed } from '@preact/signals'
import { clusterColour } from './colours'
import { dark } from './prefs'
import { clusters } from './state'

export const colours = computed<string[]>(() => {
  const top = clusters.value.reduce((m, c) => Math.max(m, c.index), -1)
  return Array.from({ length: top + 1 }, (_, i) => clusterColour(i, dark.value))
})
