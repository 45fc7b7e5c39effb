// The rows in view, out of any number. Arrow keys move, Space selects, Enter opens.

import type { Signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { removePoint, select } from '../data/actions'
import { columnsOf, type Sort } from './columns'
import { selection } from '../data/state'
import { openPoint } from '../details/open'
import { RowHeader } from './RowHeader'
import { RowLine } from './RowLine'
import type { RowStore } from './store'

const rowHeight = 30
const tallest = 8_000_000 // browsers limit the height of an element

export function RowGrid({ store, sort, shape }: { store: RowStore; sort: Signal<Sort>; shape: string }) {
  const host = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [view, setView] = useState(300)
  const [active, setActive] = useState(0)
  const anchor = useRef<number | null>(null)
  const total = store.total.value
  void store.version.value
  const full = total * rowHeight
  const height = Math.min(full, tallest)
  const visible = Math.ceil(view / rowHeight) + 1
  // With very many rows the scroll bar covers them in larger steps.
  const exact = full <= tallest
  const firstExact = exact ? top / rowHeight : (top / Math.max(1, height - view)) * Math.max(0, total - view / rowHeight)
  const first = Math.max(0, Math.floor(firstExact) - 4)
  const last = Math.min(total - 1, first + visible + 8)
  useLayoutEffect(() => {
    const el = host.current!
    const measure = () => setView(Math.max(60, el.clientHeight - rowHeight))
    measure()
    const o = new ResizeObserver(measure)
    o.observe(el)
    return () => o.disconnect()
  }, [])
  useEffect(() => {
    setActive(0)
    anchor.current = null
    host.current?.scrollTo({ top: 0 })
  }, [shape])
  useEffect(() => {
    if (total > 0) store.want(first, last)
  }, [first, last, store.version.value])

  function scrollTo(i: number) {
    const el = host.current!
    if (!exact) {
      const at = firstExact
      if (i < at || i > at + view / rowHeight - 1) el.scrollTop = (i / Math.max(1, total - view / rowHeight)) * (height - view)
      return
    }
    if (i * rowHeight < el.scrollTop) el.scrollTop = i * rowHeight
    else if ((i + 1) * rowHeight > el.scrollTop + view) el.scrollTop = (i + 1) * rowHeight - view
  }

  function toggle(i: number) {
    const row = store.row(i)
    if (!row) return
    const set = new Set(selection.value ?? [])
    if (!set.delete(row.point)) set.add(row.point)
    select([...set])
    anchor.current = i
  }

  function extend(to: number) {
    const from = anchor.current ?? active
    anchor.current = from
    const set = new Set(selection.value ?? [])
    for (let i = Math.min(from, to); i <= Math.max(from, to); i++) {
      const row = store.row(i)
      if (row) set.add(row.point)
    }
    select([...set])
  }

  function key(e: KeyboardEvent) {
    if (total === 0 || e.ctrlKey || e.metaKey || e.altKey) return
    const page = Math.max(1, Math.floor(view / rowHeight) - 1)
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page, PageUp: active - page, Home: 0, End: total - 1 }[e.key]
    if (to !== undefined) {
      const i = Math.max(0, Math.min(total - 1, to))
      if (e.shiftKey) extend(i)
      else anchor.current = null
      setActive(i)
      scrollTo(i)
    } else if (e.key === ' ') toggle(active)
    else if (e.key === 'Enter') {
      const row = store.row(active)
      if (row) openPoint(row.point)
    } else if (e.key === 'Delete' || e.key === 'Backspace') {
      const row = store.row(active)
      if (row?.cluster) void removePoint(row.point, row.id)
    } else if (/^[lLmMxX]$/.test(e.key) && !selection.value) {
      const row = store.row(active)
      if (row) select([row.point])
      return
    } else return
    e.preventDefault()
    e.stopPropagation()
  }

  const columns = columnsOf(store.columns.value)
  const width = columns.reduce((w, c) => w + c.width, 0)
  const chosen = selection.value && selection.value.length < 200_000 ? new Set(selection.value) : null
  const lines = []
  for (let i = first; i <= last; i++) {
    const row = store.row(i)
    const y = exact ? i * rowHeight : top + (i - firstExact) * rowHeight
    lines.push(
      <RowLine
        key={i}
        index={i}
        row={row}
        top={y}
        columns={columns}
        active={i === active}
        selected={!!row && (chosen ? chosen.has(row.point) : !!selection.value?.includes(row.point))}
        onPick={(e) => {
          setActive(i)
          if (!row) return
          if (e.shiftKey) extend(i)
          else if (e.ctrlKey || e.metaKey) toggle(i)
          else {
            anchor.current = i
            openPoint(row.point)
          }
          host.current?.focus({ preventScroll: true })
        }}
        onToggle={() => {
          setActive(i)
          toggle(i)
          host.current?.focus({ preventScroll: true })
        }}
      />,
    )
  }
  return (
    <div
      id="rowgrid"
      class="rowgrid"
      ref={host}
      role="grid"
      tabIndex={0}
      aria-label="Rows. Arrow keys move, Space selects, Shift with arrows extends, Enter opens, Delete takes a row out of its group."
      aria-rowcount={total + 1}
      aria-colcount={columns.length}
      aria-multiselectable="true"
      aria-activedescendant={total > 0 && active >= first && active <= last ? `row-${active}` : undefined}
      onScroll={(e) => setTop(e.currentTarget.scrollTop)}
      onKeyDown={key}
    >
      <RowHeader columns={columns} sort={sort} width={width} />
      {total === 0 && !store.busy.value && (
        <div role="row"><p role="gridcell" class="muted pad">No rows match. Clear the search or choose another filter.</p></div>
      )}
      <div class="rowlines" role="rowgroup" style={{ height: `${height}px`, minWidth: `${width}px` }}>
        {lines}
      </div>
    </div>
  )
}
