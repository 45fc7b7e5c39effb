// Before and after: what moved, the table of counts, and the settings that differ.

import { api } from '../data/api'
import { select } from '../data/actions'
import { useLoaded } from '../data/loaded'
import { comparing, groupTitle, phoneTab, server } from '../data/state'
import { count, figure } from '../data/words'
import { openPoint } from '../details/open'
import { plot } from '../plotpanel/handle'
import { Contingency } from './Contingency'

interface FitInfo {
  n: number // its event
  place: number // among the fits, from 1
  method: string
  k: number
}

export function CompareFits({ fits }: { fits: FitInfo[] }) {
  const c = comparing.value
  if (!c) {
    const [from, to] = fits.slice(-2) as [FitInfo, FitInfo]
    return (
      <button type="button" class="button" onClick={() => (comparing.value = { from: from.n, to: to.n })}>
        Compare the last two fits
      </button>
    )
  }
  const names = new Map((server.value?.states ?? []).map((s) => [s.fit, s.name]))
  const pick = (side: 'from' | 'to') => (
    <label>
      <span>{side === 'from' ? 'Before' : 'After'}</span>
      <select value={c[side]} onChange={(e) => (comparing.value = { ...c, [side]: Number(e.currentTarget.value) })}>
        {fits.map((f) => (
          <option key={f.n} value={f.n}>{names.has(f.n) ? `${names.get(f.n)} (fit ${f.place})` : `Fit ${f.place}: ${f.method}, ${f.k} groups`}</option>
        ))}
      </select>
    </label>
  )
  return (
    <div class="compare">
      <div class="comparepick">
        {pick('from')}
        {pick('to')}
      </div>
      <Difference from={c.from} to={c.to} />
      <button type="button" class="button small" onClick={() => (comparing.value = null)}>Stop comparing</button>
    </div>
  )
}

function Difference({ from, to }: { from: number; to: number }) {
  const got = useLoaded(`${from}|${to}`, () => api.compare(from, to))
  const v = got.value
  if (!v) return <p class="muted">{got.error ?? 'Comparing…'}</p>
  const rows = v.rows ?? []
  return (
    <>
      <p>
        <strong>{count(v.moved, 'row')} moved.</strong> Agreement (adjusted Rand index) {figure(v.ari, 3)}.
      </p>
      {!!v.settings?.length && (
        <dl class="cells">
          {v.settings.map((s) => (
            <div key={s.name}>
              <dt>{s.name}</dt>
              <dd>{text(s.from)} → {text(s.to)}</dd>
            </div>
          ))}
        </dl>
      )}
      {v.table && <Contingency table={v.table} />}
      {rows.length > 0 && (
        <>
          <div class="movedhead">
            <h3>What moved</h3>
            <button
              type="button"
              class="plain small"
              onClick={() => {
                const points = Uint32Array.from(rows.map((r) => r.point))
                select(points)
                phoneTab.value = 'plot'
                plot.value?.zoomTo(points)
              }}
            >
              Select {rows.length < v.moved ? `the first ${rows.length}` : 'them'}
            </button>
          </div>
          <ul class="moved">
            {rows.slice(0, 100).map((r) => (
              <li key={r.point}>
                <button type="button" class="plain ellipsis" onClick={() => openPoint(r.point, true)}>{r.id}</button>
                <span class="ellipsis">{groupTitle(r.from)} → {groupTitle(r.to)}</span>
              </li>
            ))}
          </ul>
          {v.moved > 100 && <p class="muted small">The first 100 of {count(v.moved, 'row')}.</p>}
        </>
      )}
    </>
  )
}

function text(v: unknown): string {
  if (v === null || v === undefined || v === '') return '–'
  return typeof v === 'object' ? JSON.stringify(v) : String(v)
}
