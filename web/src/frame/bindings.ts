// The keys of the page: one table for the handler and for the list that `?` shows.

import { askLabel, linkSelection, redo, select, undo } from '../data/actions'
import { answer, back, openQuestions, shownQuestion, whyShown } from '../data/questions'
import { comparing, dialog, phoneTab, searchText, server, sideTab, type SideTab } from '../data/state'
import { rowsHeight } from '../data/prefs'
import { erasing, pickLabel, picture, resize } from '../imagepanel/tools'
import { plot } from '../plotpanel/handle'

export interface Binding {
  section: string
  shown: string
  words: string
  match?: (e: KeyboardEvent) => boolean // absent: the key is handled where the focus is
  when?: () => boolean
  run?: (e: KeyboardEvent) => void
}

const key = (k: string) => (e: KeyboardEvent) => e.key.toLowerCase() === k && !e.shiftKey
const loaded = () => !!server.value && server.value.kind !== 'none'
const hasRows = () => loaded() && server.value?.kind !== 'image'
const isImage = () => server.value?.kind === 'image'
const asking = () => hasRows() && sideTab.value === 'questions' && !!shownQuestion.value

// Gives the focus at once where the element is on the screen already, else when the panel has opened.
function focusOn(find: () => HTMLElement | null): void {
  const now = find()
  now?.focus()
  if (!now || document.activeElement !== now) requestAnimationFrame(() => find()?.focus())
}

function focusId(id: string): void {
  focusOn(() => document.getElementById(id))
}

function openSide(tab: SideTab): void {
  sideTab.value = tab
  phoneTab.value = 'side'
  focusId(`tab-${tab}`)
}

function openRows(): void {
  phoneTab.value = 'rows'
  if (rowsHeight.value === 'closed') rowsHeight.value = 'normal'
}

// Space presses a button that has the focus; only elsewhere it skips.
function onControl(e: KeyboardEvent): boolean {
  return e.target instanceof Element && e.target.closest('button, a, summary, [role=grid], [role=tab], canvas') !== null
}

export const bindings: Binding[] = [
  { section: 'Everywhere', shown: '?', words: 'show the keys', match: (e) => e.key === '?', run: () => (dialog.value = { name: 'keys' }) },
  { section: 'Everywhere', shown: 'Q', words: 'answer questions', match: key('q'), when: hasRows, run: openQuestions },
  {
    section: 'Everywhere', shown: 'G', words: 'groups', match: key('g'), when: loaded,
    run: () => {
      phoneTab.value = 'groups'
      focusOn(() => document.querySelector<HTMLElement>('.groupbutton') ?? document.getElementById('groups-title'))
    },
  },
  {
    section: 'Everywhere', shown: 'R', words: 'rows', match: key('r'), when: hasRows,
    run: () => {
      openRows()
      focusId('rowgrid')
    },
  },
  {
    section: 'Everywhere', shown: '/', words: 'search', match: (e) => e.key === '/', when: hasRows,
    run: () => {
      openRows()
      focusId('search')
    },
  },
  { section: 'Everywhere', shown: 'H', words: 'history', match: key('h'), when: loaded, run: () => openSide('history') },
  { section: 'Everywhere', shown: 'V', words: 'violations', match: key('v'), when: hasRows, run: () => openSide('violations') },
  { section: 'Everywhere', shown: 'Ctrl+Z', words: 'undo' },
  { section: 'Everywhere', shown: 'Ctrl+Shift+Z', words: 'redo' },
  {
    section: 'Everywhere', shown: 'Esc', words: 'clear the selection, stop comparing', match: (e) => e.key === 'Escape', when: loaded,
    run: () => {
      if (comparing.value) comparing.value = null
      else if (searchText.value && document.activeElement?.id === 'search') return
      else select(null)
    },
  },

  { section: 'Questions', shown: 'S', words: 'same group', match: key('s'), when: asking, run: () => void answer('same') },
  { section: 'Questions', shown: 'D', words: 'different groups', match: key('d'), when: asking, run: () => void answer('different') },
  { section: 'Questions', shown: 'U', words: 'unsure', match: key('u'), when: asking, run: () => void answer('unsure') },
  { section: 'Questions', shown: 'Space', words: 'skip', match: (e) => e.key === ' ' && !onControl(e), when: asking, run: () => void answer('skip') },
  { section: 'Questions', shown: 'B', words: 'back to the last answer', match: key('b'), when: () => hasRows() && sideTab.value === 'questions', run: back },
  { section: 'Questions', shown: 'W', words: 'why this question', match: key('w'), when: asking, run: () => (whyShown.value = !whyShown.value) },

  { section: 'Selection', shown: 'L', words: 'label the selection', match: key('l'), when: hasRows, run: askLabel },
  { section: 'Selection', shown: 'M', words: 'must-link two selected rows', match: key('m'), when: hasRows, run: () => linkSelection('must') },
  { section: 'Selection', shown: 'X', words: 'cannot-link two selected rows', match: key('x'), when: hasRows, run: () => linkSelection('cannot') },

  { section: 'Plot', shown: '+ -', words: 'zoom', match: (e) => e.key === '+' || e.key === '=' || e.key === '-', when: loaded, run: (e) => (isImage() ? picture : plot).value?.zoomBy(e.key === '-' ? 1 / 1.5 : 1.5) },
  { section: 'Plot', shown: 'F', words: 'show everything', match: key('f'), when: loaded, run: () => (isImage() ? picture : plot).value?.fit() },
  { section: 'Plot', shown: '← ↑ → ↓', words: 'move, when the plot has the focus' },

  { section: 'Rows', shown: '↑ ↓', words: 'move; with Shift extend the selection' },
  { section: 'Rows', shown: 'Space', words: 'select' },
  { section: 'Rows', shown: 'Enter', words: 'details' },
  { section: 'Rows', shown: 'Delete', words: 'not in this group' },

  { section: 'Images', shown: '1 … 9', words: 'label of the brush', match: (e) => /^[1-9]$/.test(e.key), when: isImage, run: (e) => pickLabel(Number(e.key)) },
  { section: 'Images', shown: '[ ]', words: 'size of the brush', match: (e) => e.key === '[' || e.key === ']', when: isImage, run: (e) => resize(e.key === '[' ? 1 / 1.25 : 1.25) },
  { section: 'Images', shown: 'E', words: 'erase', match: key('e'), when: isImage, run: () => (erasing.value = !erasing.value) },
]

export const undoRedo = (e: KeyboardEvent): (() => Promise<void>) | null => {
  if (!(e.ctrlKey || e.metaKey) || e.altKey) return null
  const k = e.key.toLowerCase()
  if (k === 'z') return e.shiftKey ? redo : undo
  return k === 'y' && !e.shiftKey ? redo : null
}
