// Holds the canvas and passes to it what changes.

import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { linkPoints, select } from '../data/actions'
import { api, bytes } from '../data/api'
import { readAssigned, readColumn, readEdges } from '../data/binary'
import { links } from '../data/links'
import { colours } from '../data/palette'
import { keyName } from '../data/keys'
import { dark, keymap, outlined } from '../data/prefs'
import {
  assigned, clusterMark, clusters, colourBy, compareShare, comparing, dataKey, hidden, places, searchHits, kind, selection, sideTab, tool,
} from '../data/state'
import { toastError } from '../data/toasts'
import type { Layout } from '../data/types'
import { Plot } from '../plot/plot'
import { ascending, combined } from '../plot/sets'
import { hover } from './hover'
import { plot } from './handle'
import { columnLevels, columnRange, graphView, groupsHidden } from './view'

export function PlotCanvas() {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const p = new Plot(host.current!, {
      onSelect: (points) => select(points),
      onHover: (point, x, y) => (hover.value = point === null ? null : { point, x, y }),
      onClick: (point, e) => clicked(point, e.shift, e.alt),
      onLink: (a, b, kind) => void linkPoints(a, b, kind),
      isCannotKey: (e) => keyName({ key: e.key, shiftKey: false }) === keymap.peek().cannot,
    })
    plot.value = p
    let shown: Layout | null = null
    const stops = [
      effect(() => p.setPalette(colours.value, dark.value)),
      effect(() => {
        if (!places.value) return
        p.setPoints(places.value.x, places.value.y, shown === places.value.how) // points that settle do not move a view that somebody chose
        shown = places.value.how
      }),
      effect(() => {
        if (places.value && assigned.value && !comparing.value) p.setLabels(assigned.value.clusters, assigned.value.flags, assigned.value.none)
      }),
      effect(() => p.setNames((groupsHidden.value ? [] : clusters.value).filter((c) => c.size > 0).map((c) => ({ index: c.index, text: /^\d+$/.test(c.name) ? c.name : `${clusterMark(c.index)} ${c.name}` })))),
      effect(() => {
        if (places.value) p.setSelection(selection.value)
      }),
      effect(() => {
        if (places.value) p.setHighlight(searchHits.value)
      }),
      effect(() => p.setHidden(new Set(hidden.value))),
      effect(() => p.setTool(tool.value)),
      effect(() => p.setOutlines(outlined.value && !groupsHidden.value)),
      effect(() => colour(p)),
      effect(() => drawLinks(p)),
      effect(() => drawEdges(p)),
      effect(() => drawComparison(p)),
      effect(() => moveSlider(p)),
    ]
    return () => {
      for (const stop of stops) stop()
      hover.value = null
      if (plot.peek() === p) plot.value = null // the canvas of other data may be there already
      p.destroy()
    }
  }, [])
  return <div class="plothost" ref={host} aria-describedby="plot-summary" />
}

function clicked(point: number | null, shift: boolean, alt: boolean): void {
  if (point === null) {
    if (!shift && !alt) select(null)
    return
  }
  const now = ascending(selection.value ?? new Uint32Array())
  if (shift) select(combined(now, Uint32Array.of(point), 'add'))
  else if (alt) select(combined(now, Uint32Array.of(point), 'subtract'))
  else {
    select([point])
    sideTab.value = 'selection'
  }
}

function colour(p: Plot): void {
  const how = colourBy.value
  if (groupsHidden.value) {
    p.setColourBy('label')
    return
  }
  if (!how.startsWith('column:')) {
    p.setColourBy(how as 'cluster' | 'confidence' | 'label')
    return
  }
  const title = how.slice('column:'.length)
  columnRange.value = null
  columnLevels.value = null
  Promise.all([bytes(`column?name=${encodeURIComponent(title)}`), api.facet(title)]).then(
    ([b, facet]) => {
      if (colourBy.peek() !== how) return
      const levels = facet.holds === 'category'
      p.setColourBy({ values: readColumn(b), title, levels })
      if (levels) columnLevels.value = (facet.levels ?? []).map((l) => l.name)
      else columnRange.value = p.legend().values
    },
    (e: unknown) => {
      if (colourBy.peek() === how) colourBy.value = 'cluster'
      toastError(e)
    },
  )
}

// Constraints are drawn for what is selected; with nothing selected only the violated ones, as a warning.
function drawLinks(p: Plot): void {
  const chosen = selection.value
  const set = chosen && chosen.length <= 20_000 ? new Set(chosen) : null
  p.setLinks(set ? links.value.filter((l) => set.has(l.a) || set.has(l.b)) : links.value.filter((l) => l.violated))
}

let edgesOf = ''

function drawEdges(p: Plot): void {
  const view = graphView.value
  if (kind.value !== 'graph' || !places.value) {
    edgesOf = ''
    return
  }
  const key = `${dataKey.value}|${view}`
  if (key === edgesOf) return
  edgesOf = key
  if (view === 'none') {
    p.setEdges(new Uint32Array(), new Uint32Array())
    return
  }
  bytes(`edges${view ? `?view=${encodeURIComponent(view)}` : ''}`).then((b) => {
    const e = readEdges(b)
    if (edgesOf === key) p.setEdges(e.a, e.b)
  }, toastError)
}

let compared: { key: string; clusters: Uint8Array | Uint16Array; none: number } | null = null

function drawComparison(p: Plot): void {
  const c = comparing.value
  if (!c) {
    compared = null
    p.setCompare(null, 0)
    return
  }
  const key = `${c.from}|${c.to}`
  Promise.all([bytes(`labels?fit=${c.from}`), bytes(`labels?fit=${c.to}`)]).then(([from, to]) => {
    const now = comparing.peek()
    if (now?.from !== c.from || now.to !== c.to) return
    const before = readAssigned(from)
    const after = readAssigned(to)
    p.setLabels(after.clusters, after.flags, after.none)
    compared = { key, clusters: before.clusters, none: before.none }
    p.setCompare(compared, compareShare.peek())
  }, toastError)
}

function moveSlider(p: Plot): void {
  const share = compareShare.value
  if (compared) p.setCompare(compared, share)
}
