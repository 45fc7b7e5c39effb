// The table of rows: filter, search, sort, select, label and link.

import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { assigned, fit, rowFilter, searchText, selection, server } from '../data/state'
import { dataKey } from '../data/state'
import { rowsHeight } from '../data/prefs'
import { count } from '../data/words'
import { select, membersOf } from '../data/actions'
import { IconButton } from '../parts/IconButton'
import { RowFilters } from './RowFilters'
import { RowSearch } from './RowSearch'
import { RowGrid } from './RowGrid'
import type { Sort } from './columns'
import { RowStore } from './store'
import { clusterByName, searchHits } from '../data/state'

export function RowsPanel() {
  const store = useMemo(() => new RowStore(), [])
  const sort = useSignal<Sort>({ by: '', desc: false })
  const shape = useComputed(() => {
    const f = rowFilter.value
    const which = f.kind === 'group' ? `group ${f.name}` : f.kind
    return JSON.stringify([dataKey.value, which, f.kind === 'selection' ? [selection.value?.length, selection.value?.[0], selection.value?.at(-1)] : 0, searchText.value, sort.value])
  })
  const freshness = useComputed(() => `${fit.value?.n}|${fit.value?.sure}|${server.value?.events}`)
  const last = useMemo(() => ({ shape: '' }), [])
  useEffect(() => {
    const f = rowFilter.value
    store.show(
      {
        ...(f.kind === 'group' ? { cluster: f.name } : {}),
        ...(f.kind === 'unassigned' ? { unassigned: true } : {}),
        ...(f.kind === 'selection' ? { points: Array.from(selection.value ?? []) } : {}),
        ...(searchText.value ? { q: searchText.value } : {}),
        ...(sort.value.by ? { sort: sort.value.by, desc: sort.value.desc } : {}),
      },
      shape.value === last.shape,
    )
    last.shape = shape.value
    store.want(0, 30)
  }, [shape.value, freshness.value])
  const height = rowsHeight.value
  return (
    <section class={`panel rowspanel ${height}`} aria-label="Rows">
      <header class="panelhead">
        <h2 id="rows-title" tabIndex={-1}>Rows</h2>
        <RowFilters />
        <RowSearch />
        <span class="muted shrink" role="status">
          {store.busy.value && store.total.value === 0 ? 'Loading…' : count(store.total.value, 'row')}
        </span>
        <span class="spacer" />
        <button type="button" class="plain small selectall" onClick={() => selectAll()}>Select all</button>
        <span class="desktoponly">
          <IconButton
            icon={height === 'closed' ? 'up' : 'down'}
            label={height === 'closed' ? 'Open the table' : 'Close the table'}
            onClick={() => (rowsHeight.value = height === 'closed' ? 'normal' : 'closed')}
          />
          <IconButton
            icon="fit"
            label={height === 'tall' ? 'Make the table smaller' : 'Make the table taller'}
            pressed={height === 'tall'}
            onClick={() => (rowsHeight.value = height === 'tall' ? 'normal' : 'tall')}
          />
        </span>
      </header>
      <RowGrid store={store} sort={sort} shape={shape.value} />
    </section>
  )
}

// Selects what the table shows.
function selectAll(): void {
  const a = assigned.value
  if (!a) return
  const f = rowFilter.value
  if (f.kind === 'selection') return
  let points: Uint32Array
  if (f.kind === 'group') points = membersOf(clusterByName.value.get(f.name)?.index ?? -1, a.clusters)
  else if (f.kind === 'unassigned') points = membersOf(a.none, a.clusters)
  else points = Uint32Array.from({ length: a.clusters.length }, (_, i) => i)
  const hits = searchText.value ? searchHits.value : null
  if (hits) {
    const set = new Set(hits)
    points = points.filter((p) => set.has(p))
  }
  select(points)
}
