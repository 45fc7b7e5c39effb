// The keys of the page: one table for the handler and for the list that `?` shows.

import { askLabel, linkSelection, redo, select, undo } from '../data/actions'
import { answer, back, openQuestions, shownQuestion, whyShown } from '../data/questions'
import { comparing, dialog, phoneTab, searchText, server, sideTab, type SideTab } from '../data/state'
import { actionWords, keyName, keyShown, type Action } from '../data/keys'
import { keymap, outlined, rowsHeight } from '../data/prefs'
import { erasing, pickLabel, picture, resize } from '../imagepanel/tools'
import { plot } from '../plotpanel/handle'

export interface Binding {
  section: string
  action?: Action // its key can be changed
  shown: string
  words: string
  match?: (e: KeyboardEvent) => boolean // absent: the key is handled where the focus is
  when?: () => boolean
  run?: (e: KeyboardEvent) => void
}


// An action with a key that can be changed.
function act(section: string, action: Action, run: () => void, when?: () => boolean): Binding {
  return { section, action, get shown() { return keyShown(keymap.value[action]) }, words: actionWords[action], match: (e) => keyName(e) === keymap.value[action] && !(e.key === ' ' && onControl(e)), when, run }
}

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
  act('Everywhere', 'keys', () => (dialog.value = { name: 'keys' })),
  act('Everywhere', 'questions', openQuestions, hasRows),
  act('Everywhere', 'groups', () => {
    phoneTab.value = 'groups'
    focusOn(() => document.querySelector<HTMLElement>('.groupbutton') ?? document.getElementById('groups-title'))
  }, loaded),
  act('Everywhere', 'rows', () => {
    openRows()
    focusId('rowgrid')
  }, hasRows),
  act('Everywhere', 'search', () => {
    openRows()
    focusId('search')
  }, hasRows),
  act('Everywhere', 'history', () => openSide('history'), loaded),
  act('Everywhere', 'violations', () => openSide('violations'), hasRows),
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

  act('Questions', 'same', () => void answer('same'), asking),
  act('Questions', 'different', () => void answer('different'), asking),
  act('Questions', 'unsure', () => void answer('unsure'), asking),
  act('Questions', 'skip', () => void answer('skip'), asking),
  act('Questions', 'back', back, () => hasRows() && sideTab.value === 'questions'),
  act('Questions', 'why', () => (whyShown.value = !whyShown.value), asking),

  act('Selection', 'label', askLabel, hasRows),
  act('Selection', 'must', () => linkSelection('must'), hasRows),
  act('Selection', 'cannot', () => linkSelection('cannot'), hasRows),

  { section: 'Plot', shown: '+ -', words: 'zoom', match: (e) => e.key === '+' || e.key === '=' || e.key === '-', when: loaded, run: (e) => (isImage() ? picture : plot).value?.zoomBy(e.key === '-' ? 1 / 1.5 : 1.5) },
  act('Plot', 'everything', () => (isImage() ? picture : plot).value?.fit(), loaded),
  act('Plot', 'outlines', () => (outlined.value = !outlined.value), hasRows),
  { section: 'Plot', shown: '← ↑ → ↓', words: 'move the plot when it has the focus' },

  { section: 'Rows', shown: '↑ ↓', words: 'move; with Shift, extend the selection' },
  { section: 'Rows', shown: 'Space', words: 'select' },
  { section: 'Rows', shown: 'Enter', words: 'show details' },
  { section: 'Rows', shown: 'Delete', words: 'say that a row is not in its group' },

  { section: 'Images', shown: '1 … 9', words: 'choose the label of the brush', match: (e) => /^[1-9]$/.test(e.key), when: isImage, run: (e) => pickLabel(Number(e.key)) },
  { section: 'Images', shown: '[ ]', words: 'change the size of the brush', match: (e) => e.key === '[' || e.key === ']', when: isImage, run: (e) => resize(e.key === '[' ? 1 / 1.25 : 1.25) },
  act('Images', 'erase', () => (erasing.value = !erasing.value), isImage),
]

export const undoRedo = (e: KeyboardEvent): (() => Promise<void>) | null => {
  if (!(e.ctrlKey || e.metaKey) || e.altKey) return null
  const k = e.key.toLowerCase()
  if (k === 'z') return e.shiftKey ? redo : undo
  return k === 'y' && !e.shiftKey ? redo : null
}
