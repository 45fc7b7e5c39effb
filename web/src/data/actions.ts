// What a person can do to the session. Every action is an event that can be undone.

import { signal } from '@preact/signals'
import { api, ApiError } from './api'
import { count, sentence } from './words'
import { chosenLayout, closing, colourBy, comparing, dialog, groupTitle, hidden, openGroup, rowFilter, selection, server } from './state'
import { toast, toastError } from './toasts'
import type { Contradiction, Reading } from './types'

// A change that contradicts what was said before, until the person decides.
export interface Conflict {
  contradiction: Contradiction
  retry: () => Promise<boolean>
  force: () => Promise<boolean>
}
export const conflict = signal<Conflict | null>(null)

// Sends a change and says what was done. A contradiction opens the dialog with its repairs.
export async function change(path: string, body: object, done: string): Promise<boolean> {
  try {
    const answer = await api.change(path, body)
    toast(done, { ...(answer.did ? { detail: sentence(answer.did) } : {}), action: { text: 'Undo', run: () => void undo() } })
    if (answer.contradicts) toast(answer.contradicts.message, { kind: 'error' })
    return true
  } catch (e) {
    if (e instanceof ApiError && e.contradiction) {
      conflict.value = {
        contradiction: e.contradiction,
        retry: () => change(path, body, done),
        force: () => change(path, { ...body, force: true }, done),
      }
      return false
    }
    toastError(e)
    return false
  }
}

export async function undo(): Promise<void> {
  if (!server.value?.undo) return
  try {
    const { did } = await api.undo()
    toast(did ? `Undone: ${did}` : 'Undone', { action: { text: 'Redo', run: () => void redo() } })
  } catch (e) {
    toastError(e)
  }
}

export async function redo(): Promise<void> {
  if (!server.value?.redo) return
  try {
    const { did } = await api.redo()
    toast(did ? `Redone: ${did}` : 'Redone')
  } catch (e) {
    toastError(e)
  }
}

export const keepOld = () => change('keep', {}, 'Answers now move only the rows that they name')

export const labelPoints = (points: Uint32Array, label: string) =>
  change('label', { points: Array.from(points), label }, `Labelled ${count(points.length, 'row')} “${label}”`)

export const linkPoints = (a: number, b: number, kind: 'must' | 'cannot') =>
  change('link', { kind, a, b }, kind === 'must' ? 'Must-link added' : 'Cannot-link added')

export const believePoints = (a: number, b: number, weight: number) =>
  change('link', { kind: 'belief', a, b, weight }, `Belief ${weight.toFixed(2)} added`)

export const mergeGroups = (a: string, b: string) => change('merge', { clusters: [a, b] }, `Merged ${groupTitle(a)} and ${groupTitle(b)}`)

export const splitSelection = (points: Uint32Array) =>
  change('split', { points: Array.from(points) }, `Split ${count(points.length, 'row')} into a group of their own`)

// Splits a group into the two parts that the tree has for it.
export const splitGroup = (name: string) => change('split', { cluster: name }, `Split ${groupTitle(name)} in two`)

export const acceptPoints = (points: ArrayLike<number>) =>
  change('accept', { points: Array.from(points) }, `Accepted ${count(points.length, 'row')}`)

// Accepts the rows that are sure of their groups; the others stay open.
export const acceptSure = (points: ArrayLike<number>, above: number, done: string) => change('accept', { points: Array.from(points), above }, done)

const bounds = [0.8, 0.7, 0.6, 0.5]
const sureLevels = 63 // as flags hold confidences

// The highest bound that at least a tenth of the points reach: without labels few groups are as sure as 80 %. 0: none.
export function sureBound(points: ArrayLike<number>, flags: Uint8Array): number {
  for (const bound of bounds) {
    let n = 0
    for (let i = 0; i < points.length; i++) if ((flags[points[i]!]! & sureLevels) / sureLevels >= bound) n++
    if (n > 0 && 10 * n >= points.length) return bound
  }
  return 0
}

// Takes back constraints that look wrong: those of this session by event, those of the data by point.
export async function dropAll(events: number[], points: number[]): Promise<void> {
  const done = `Dropped ${count(events.length + points.length, 'constraint')}`
  if (events.length > 0 && !(await change('forget', { events }, done))) return
  if (points.length > 0) await change('forget', { points }, done)
}

export const removePoint = (point: number, id: string) => change('remove', { point }, `Noted: ${id} does not belong in its group`)

export const renameGroup = (cluster: string, name: string) => change('rename', { cluster, name }, `Renamed to “${name}”`)

export async function saveState(name: string): Promise<void> {
  try {
    await api.change('name', { name })
    toast(`Saved as “${name}”`)
  } catch (e) {
    toastError(e)
  }
}

export const returnTo = (fit: number, name: string) => change('return', { fit }, `Returned to “${name}”`)

export const forgetEvent = (event: number, done = 'Constraint dropped') => change('forget', { event }, done)

// Labels of the data can be taken back too.
export const forgetLabels = (points: ArrayLike<number>) => change('forget', { points: Array.from(points) }, 'Label dropped')

export const softenEvent = (event: number, weight: number) =>
  change('soften', { event, weight }, `Constraint softened to ${weight.toFixed(1)}`)

export async function cancelFit(): Promise<void> {
  try {
    await api.cancel()
    toast('Fit cancelled; the last result is kept')
  } catch (e) {
    toastError(e)
  }
}

// Reads the data in another way; answers stay with their rows. It reports whether that worked.
export async function reopen(reading: Reading): Promise<boolean> {
  try {
    const { answers, lost } = await api.reopen(reading)
    const kept = answers > 0 ? `${count(answers, 'answer')} kept.` : ''
    toast('Grouping with the new roles', { detail: [kept, lost > 0 ? `Not used: ${count(lost, 'answer')} about rows that are no longer in the data.` : ''].filter(Boolean).join(' ') })
    return true
  } catch (e) {
    toastError(e)
    return false
  }
}

export async function closeData(): Promise<void> {
  try {
    await api.close()
  } catch (e) {
    toastError(e)
  }
}

export async function copyCommand(): Promise<void> {
  try {
    const { command, lines } = await api.command()
    const text = lines?.length ? lines.join('\n') : command
    try {
      await navigator.clipboard.writeText(text)
      toast('Command copied', { detail: text })
    } catch {
      toast('Copy this command', { detail: text })
    }
  } catch (e) {
    toastError(e)
  }
}

export function select(points: Uint32Array | number[] | null): void {
  const next = points && points.length > 0 ? (points instanceof Uint32Array ? points : Uint32Array.from(points)) : null
  selection.value = next
  if (!next && rowFilter.value.kind === 'selection') rowFilter.value = { kind: 'all' }
}

export function toggleHidden(index: number): void {
  const next = new Set(hidden.value)
  if (!next.delete(index)) next.add(index)
  hidden.value = next
}

// The key M or X: two selected rows are linked.
export function linkSelection(kind: 'must' | 'cannot'): void {
  const s = selection.value
  if (s?.length === 2) void linkPoints(s[0]!, s[1]!, kind)
  else toast('Select exactly two rows to link them', { detail: 'Click one point, then hold Shift and click the other.' })
}

export function askLabel(): void {
  if (selection.value) dialog.value = { name: 'label' }
  else toast('Select rows to label them', { detail: 'Use the lasso on the plot, or Space in the table.' })
}

// Members of a cluster among the points of the page.
export function membersOf(index: number, clusters: ArrayLike<number>): Uint32Array {
  const out: number[] = []
  for (let p = 0; p < clusters.length; p++) if (clusters[p] === index) out.push(p)
  return Uint32Array.from(out)
}

// Forgets what was looked at when other data are opened.
export function resetView(): void {
  closing.value = false
  chosenLayout.value = null
  selection.value = null
  openGroup.value = null
  hidden.value = new Set()
  rowFilter.value = { kind: 'all' }
  comparing.value = null
  colourBy.value = 'cluster'
  dialog.value = null
  conflict.value = null
}

