// Histograms of numbers and bars of categories, for all rows and for the selected ones. A brush on one selects rows, and the plot, the
// table and the other facets follow.

import { useEffect } from 'preact/hooks'
import { selection } from '../data/state'
import { number } from '../data/words'
import { binned, day, levelsApart, numbersApart, partOf, short, type Apart } from './counts'
import { chosen, ensureFacets, filters, left, loaded, more, names, setFilter, type Loaded } from './store'

const parts = 24
const shownLevels = 8

export function Facets() {
  useEffect(ensureFacets)
  if (names.value.length === 0) return null
  const ready = names.value.flatMap((n) => loaded.value.get(n) ?? [])
  return (
    <section class="facets" aria-label="Columns">
      <h4>Columns</h4>
      {ready.map((l) => (l.facet.holds === 'category' ? <Bars key={l.facet.name} of={l} /> : <Histogram key={l.facet.name} of={l} />))}
      {ready.length < names.value.length && <p class="muted" role="status">Loading…</p>}
      {left.value > 0 && <button type="button" class="plain small" onClick={() => (more.value += 12)}>Show {Math.min(12, left.value)} more columns</button>}
    </section>
  )
}

function Head({ name, set }: { name: string; set: boolean }) {
  return (
    <div class="facethead">
      <strong class="ellipsis" title={name}>{name}</strong>
      {set && <button type="button" class="plain small" aria-label={`Clear the filter of ${name}`} onClick={() => setFilter(name, null)}>Clear</button>}
    </div>
  )
}

function Histogram({ of: { facet, values } }: { of: Loaded }) {
  const bins = binned(values, parts)
  if (!bins) return null
  const { low, high, all } = bins
  const some = new Uint32Array(parts)
  for (const p of selection.value ?? []) if (Number.isFinite(values[p]!)) some[partOf(values[p]!, low, high, parts)]!++
  const top = Math.max(...all)
  const f = filters.value.get(facet.name)
  const range = f && 'low' in f ? f : null
  const say = facet.holds === 'date' ? day : short
  const edge = (part: number) => low + ((high - low) * part) / parts
  const from = range ? Math.max(0, Math.round(((range.low - low) / (high - low)) * parts)) || 0 : 0
  const to = range ? Math.min(parts, Math.round(((range.high - low) / (high - low)) * parts)) || parts : parts
  const set = (a: number, b: number) => {
    const [first, last] = a <= b ? [a, b] : [b, a]
    if (first <= 0 && last >= parts) setFilter(facet.name, null)
    else setFilter(facet.name, { low: first <= 0 ? -Infinity : edge(first), high: last >= parts ? Infinity : edge(last) })
  }
  let begun: number | null = null
  const at = (e: PointerEvent) => {
    const box = (e.currentTarget as HTMLElement).getBoundingClientRect()
    return Math.max(0, Math.min(parts, ((e.clientX - box.left) / box.width) * parts))
  }
  return (
    <div class="facet">
      <Head name={facet.name} set={!!range} />
      <svg
        viewBox={`0 0 ${parts * 10} 40`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${facet.name} from ${say(low)} to ${say(high)}`}
        onPointerDown={(e) => {
          begun = at(e)
          e.currentTarget.setPointerCapture(e.pointerId)
        }}
        onPointerUp={(e) => {
          if (begun !== null) set(Math.floor(Math.min(begun, at(e))), Math.ceil(Math.max(begun, at(e)) + 1e-9))
          begun = null
        }}
      >
        {range && <rect class="brushed" x={from * 10} y={0} width={(to - from) * 10} height={40} />}
        {[...all].map((n, i) => <rect key={i} class="allrows" x={i * 10 + 1} width={8} y={40 - (38 * n) / top} height={(38 * n) / top} />)}
        {[...some].map((n, i) => n > 0 && <rect key={`s${i}`} class="somerows" x={i * 10 + 1} width={8} y={40 - (38 * n) / top} height={(38 * n) / top} />)}
      </svg>
      <div class="facetrange">
        <input type="range" min={0} max={parts} step={1} value={from} aria-label={`${facet.name} from`} aria-valuetext={say(edge(from))} onChange={(e) => set(Math.min(Number(e.currentTarget.value), to - 1), to)} />
        <input type="range" min={0} max={parts} step={1} value={to} aria-label={`${facet.name} to`} aria-valuetext={say(edge(to))} onChange={(e) => set(from, Math.max(Number(e.currentTarget.value), from + 1))} />
      </div>
      <div class="facetends muted small"><span>{say(edge(from))}</span><span>{say(edge(to))}</span></div>
    </div>
  )
}

function Bars({ of: { facet, values } }: { of: Loaded }) {
  const levels = (facet.levels ?? []).slice(0, shownLevels)
  const some = new Uint32Array(facet.levels?.length ?? 0)
  for (const p of selection.value ?? []) if (values[p] === values[p]) some[values[p]!]!++
  const top = levels[0]?.rows ?? 1
  const f = filters.value.get(facet.name)
  const set = f && 'levels' in f ? f.levels : null
  const toggle = (l: number) => {
    const next = new Set(set ?? [])
    if (!next.delete(l)) next.add(l)
    setFilter(facet.name, next.size > 0 ? { levels: next } : null)
  }
  return (
    <div class="facet">
      <Head name={facet.name} set={!!set} />
      <ul class="facetbars" aria-label={facet.name}>
        {levels.map((l, i) => (
          <li key={l.name}>
            <button type="button" class="plain" aria-pressed={set?.has(i) ?? false} onClick={() => toggle(i)}>
              <span class="ellipsis">{l.name}</span>
              <span class="num muted">{selection.value ? `${number(some[i]!)} / ` : ''}{number(l.rows)}</span>
              <span class="facetbar" aria-hidden="true">
                <span class="allrows" style={{ width: `${(100 * l.rows) / top}%` }} />
                <span class="somerows" style={{ width: `${(100 * some[i]!) / top}%` }} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {(facet.levels?.length ?? 0) > shownLevels && <p class="muted small">and {number((facet.levels?.length ?? 0) - shownLevels)} more values</p>}
    </div>
  )
}

// What sets the selected rows apart from the others, by the columns that are loaded.
export function SetApart() {
  useEffect(ensureFacets)
  const mark = chosen.value
  const list: Apart[] = []
  for (const n of names.value) {
    const l = loaded.value.get(n)
    const a = !l ? null : l.facet.holds === 'category' ? levelsApart(n, (l.facet.levels ?? []).map((x) => x.name), l.values, mark) : l.facet.holds === 'number' ? numbersApart(n, l.values, mark) : null
    if (a && a.size >= 0.3) list.push(a)
  }
  list.sort((a, b) => b.size - a.size)
  if (names.value.length === 0) return null
  return (
    <section class="setapart" aria-label="What sets this selection apart">
      <h4>What sets this selection apart</h4>
      {list.length === 0 ? <p class="muted">No column differs clearly from the other rows.</p> : <ul>{list.slice(0, 5).map((a) => <li key={a.text}>{a.text}</li>)}</ul>}
    </section>
  )
}
