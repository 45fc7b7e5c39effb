// What the plot is set to show.

import { computed, signal } from '@preact/signals'
import { blind } from '../data/prefs'
import { shownQuestion } from '../data/questions'
import { selection, sideTab } from '../data/state'

// The edges of a graph: '' for its own, 'none', or the name of a view.
export const graphView = signal('')

// The ends of the scale when a column gives the colours.
export const columnRange = signal<{ low: number; high: number } | null>(null)

// The values of a category, where one gives the colours.
export const columnLevels = signal<string[] | null>(null)

// The plot shows the two rows of a question, and the person does not want to see what the program thinks of them: colours and
// names of groups are hidden.
export const groupsHidden = computed(() => {
  const q = shownQuestion.value
  const s = selection.value
  return blind.value && sideTab.value === 'questions' && !!q && s?.length === 2 && s.includes(q.a.point) && s.includes(q.b.point)
})
