// The columns that are shown as facets, and the filters that a person set on them.

import { computed, effect, signal } from '@preact/signals'
import { select } from '../data/actions'
import { api, bytes } from '../data/api'
import { readColumn } from '../data/binary'
import { dataKey, selection, server } from '../data/state'
import { toastError } from '../data/toasts'
import type { Facet } from '../data/types'

export interface Loaded {
  facet: Facet
  values: Float32Array
}

export type Filter = { low: number; high: number } | { levels: ReadonlySet<number> }

const most = 12 // facets that are shown at first

export const more = signal(0) // further ones that the person asked for
export const loaded = signal<ReadonlyMap<string, Loaded>>(new Map())
export const filters = signal<ReadonlyMap<string, Filter>>(new Map())

const all = computed(() => (server.value?.kind === 'table' ? (server.value.columns ?? []) : []).filter((c) => c.role !== 'id' && c.role !== 'label' && ['number', 'date', 'category'].includes(c.holds ?? '')).map((c) => c.name))
export const names = computed(() => all.value.slice(0, most + more.value))
export const left = computed(() => all.value.length - names.value.length)

let of = ''
let made: Uint32Array | null = null // the selection that filters made

// Loads what is to be shown; other data begin again.
export function ensureFacets(): void {
  if (of !== dataKey.value) {
    of = dataKey.value
    loaded.value = new Map()
    filters.value = new Map()
    more.value = 0
  }
  const key = of
  for (const name of names.value) {
    if (loaded.peek().has(name) || asked.has(`${key}|${name}`)) continue
    asked.add(`${key}|${name}`)
    Promise.all([api.facet(name), bytes(`column?name=${encodeURIComponent(name)}`)]).then(
      ([facet, b]) => {
        if (key === of) loaded.value = new Map(loaded.peek()).set(name, { facet, values: readColumn(b) })
      },
      toastError,
    ).finally(() => asked.delete(`${key}|${name}`))
  }
}

const asked = new Set<string>()

// A selection that was made otherwise is not that of the filters any more.
effect(() => {
  if (selection.value !== made && filters.peek().size > 0) filters.value = new Map()
})

export function setFilter(name: string, f: Filter | null): void {
  const next = new Map(filters.value)
  if (f) next.set(name, f)
  else next.delete(name)
  filters.value = next
  if (next.size === 0) {
    made = null
    select(null)
    return
  }
  const points: number[] = []
  const n = server.value?.rows ?? 0
  const tests = [...next].flatMap(([column, filter]) => {
    const l = loaded.value.get(column)
    return l ? [{ values: l.values, filter }] : []
  })
  for (let i = 0; i < n; i++) if (tests.every((t) => passes(t.values[i]!, t.filter))) points.push(i)
  made = points.length > 0 ? Uint32Array.from(points) : null
  select(made)
  filters.value = next // selecting nothing clears them
}

export function passes(v: number, f: Filter): boolean {
  return 'levels' in f ? f.levels.has(v) : v >= f.low && v <= f.high
}

// 1 for each point that is selected.
export const chosen = computed(() => {
  const out = new Uint8Array(server.value?.rows ?? 0)
  for (const p of selection.value ?? []) out[p] = 1
  return out
})
