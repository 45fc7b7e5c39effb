// What the page knows: the state of the server, the points, and what the person looks at.

import { computed, signal } from '@preact/signals'
import type { Assigned, Places } from './binary'
import type { Cluster, Layout, State } from './types'

export const server = signal<State | null>(null)
export const connection = signal<'opening' | 'open' | 'lost'>('opening')

export const places = signal<(Places & { how: Layout }) | null>(null)
export const placesVersion = signal(0) // of the picture by neighbours that is shown; 0: the linear one
export const assigned = signal<Assigned | null>(null) // of the latest fit

// Which data the page shows: everything about points is cleared when it changes.
export const dataKey = computed(() => {
  const s = server.value
  return s && s.kind !== 'none' ? `${s.kind}|${s.name}|${s.session}|${s.rows}` : ''
})

// The data are being closed or replaced: nothing more is asked about them.
export const closing = signal(false)

// How the points are placed; null: as the program thinks best.
export const chosenLayout = signal<Layout | null>(null)
export const layout = computed<Layout>(() => {
  const p = server.value?.places
  return p?.near ? (chosenLayout.value ?? p.how) : 'linear'
})

export const kind = computed(() => server.value?.kind ?? 'none')
export const fit = computed(() => server.value?.fit ?? null)
export const clusters = computed<Cluster[]>(() => fit.value?.clusters ?? [])
export const clusterByName = computed(() => new Map(clusters.value.map((c) => [c.name, c])))

// The mark on the colour of each cluster, by index: its number in exported files where it has no name yet, else its
// index, so that no two clusters share a mark.
const marks = computed(() => {
  const out = new Map<number, string>()
  const taken = new Set<string>()
  for (const c of clusters.value) {
    if (!/^\d{1,3}$/.test(c.name)) continue
    out.set(c.index, c.name)
    taken.add(c.name)
  }
  for (const c of clusters.value) {
    if (out.has(c.index)) continue
    let n = c.index
    while (taken.has(String(n))) n += clusters.value.length
    out.set(c.index, String(n))
    taken.add(String(n))
  }
  return out
})

export function clusterMark(index: number): string {
  return marks.value.get(index) ?? String(index)
}

// A name as sentences have it: clusters that nobody named are numbers.
export function groupTitle(name: string): string {
  return name === '' ? 'Unassigned' : /^\d+$/.test(name) ? `Group ${name}` : name
}

export const selection = signal<Uint32Array | null>(null)
export const selectionSize = computed(() => selection.value?.length ?? 0)
export const openGroup = signal<string | null>(null)
export const hidden = signal<ReadonlySet<number>>(new Set())

export type RowFilter = { kind: 'all' } | { kind: 'group'; name: string } | { kind: 'selection' } | { kind: 'unassigned' }
export const rowFilter = signal<RowFilter>({ kind: 'all' })
export const searchText = signal('')
export const searchHits = signal<Uint32Array | null>(null)

export type Tool = 'pan' | 'lasso' | 'rectangle' | 'brush' | 'link'
export const tool = signal<Tool>('pan')
export const colourBy = signal<string>('cluster') // or confidence, label, or 'column:' and its name

export type SideTab = 'questions' | 'selection' | 'violations' | 'suspects' | 'history'
export const sideTab = signal<SideTab>('questions')

export type PhoneTab = 'groups' | 'plot' | 'side' | 'rows'
export const phoneTab = signal<PhoneTab>('plot')

export type DialogName = 'keys' | 'export' | 'settings' | 'label' | 'rename' | 'merge' | 'notes' | 'state' | 'columns'
export const dialog = signal<{ name: DialogName; cluster?: string; as?: string } | null>(null)

// Two fits side by side: the plot shows `from` on the left of the slider and `to` on its right.
export const comparing = signal<{ from: number; to: number } | null>(null)
export const compareShare = signal(0.5)

// How many points of each cluster are selected, by index.
export const selectedByCluster = computed(() => {
  const counts = new Map<number, number>()
  const s = selection.value
  const a = assigned.value
  if (!s || !a) return counts
  for (const p of s) {
    const c = a.clusters[p]
    if (c !== undefined) counts.set(c, (counts.get(c) ?? 0) + 1)
  }
  return counts
})

export function clusterOfPoint(p: number): Cluster | null {
  const a = assigned.value
  if (!a) return null
  const index = a.clusters[p]
  if (index === undefined || index === a.none) return null
  return clusters.value.find((c) => c.index === index) ?? null
}
