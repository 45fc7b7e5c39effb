// Labels and links that disagree with everything else.

import { askLabel, dropAll, forgetEvent, forgetLabels, select } from '../data/actions'
import { useEffect, useState } from 'preact/hooks'
import { api } from '../data/api'
import { useLoaded } from '../data/loaded'
import { fit, phoneTab, selection, server } from '../data/state'
import { count, number, percent, sentence } from '../data/words'
import { Empty } from '../parts/Empty'
import { plot } from '../plotpanel/handle'

const worthALook = 0.5 // as the badge counts them; less likely ones are listed on demand

export function SuspectsPanel() {
  const [round, again] = useState(0)
  const [all, setAll] = useState(false)
  const got = useLoaded(`${fit.value?.n}|${server.value?.events}|${server.value?.suspects?.ready}|${round}`, () => api.suspects())
  const v = got.value
  const waiting = v !== null && !v.ready && !got.busy
  useEffect(() => {
    if (!waiting) return
    const t = setTimeout(() => again(round + 1), 1_000)
    return () => clearTimeout(t)
  }, [waiting, round])
  if (!v) return <p class="muted pad">{got.error ?? 'Loading…'}</p>
  const every = v.suspects ?? []
  const likely = every.filter((x) => x.probability > worthALook)
  const list = all ? every : likely
  return (
    <div class="checks">
      <p class="lead">Constraints that are likely to be wrong, most likely first.</p>
      {!v.ready && <p class="muted waiting" role="status"><span class="spinner" aria-hidden="true" /> Checking every constraint against the others…</p>}
      {v.ready && likely.length === 0 && <Empty title="No suspects">{every.length > 0 ? 'Your labels and links agree with one another and with the data.' : 'A label or link that is probably wrong is listed here.'}</Empty>}
      {likely.length > 1 && (
        <div class="checkactions">
          <button type="button" class="button small" onClick={() => void dropAll(likely.flatMap((x) => (x.event ? [x.event] : [])), likely.flatMap((x) => (!x.event && x.points?.length === 1 ? x.points : [])))}>
            Drop all of these {number(likely.length)}
          </button>
          <button type="button" class="button small" onClick={() => select(Uint32Array.from(new Set(likely.flatMap((x) => x.points ?? []))))}>Select their rows</button>
        </div>
      )}
      <ul class="checklist">
        {list.map((x, i) => (
          <li key={`${x.event ?? x.source}-${i}`}>
            <button
              type="button"
              class="checkmain"
              onClick={() => {
                const points = Uint32Array.from(x.points ?? [])
                if (points.length === 0) return
                selection.value = points
                phoneTab.value = 'plot'
                plot.value?.zoomTo(points)
              }}
            >
              <span class="checkkind">{percent(x.probability)} likely wrong</span>
              <span>{x.text}</span>
              {x.why && <span class="muted">{sentence(x.why)}</span>}
            </button>
            <div class="checkactions">
              {x.event ? (
                <button type="button" class="button small" onClick={() => void forgetEvent(x.event!)}>Drop</button>
              ) : x.points?.length === 1 ? (
                <button type="button" class="button small" onClick={() => void forgetLabels(x.points!)}>Drop</button>
              ) : null}
              {x.points?.length === 1 && (
                <button
                  type="button"
                  class="button small"
                  onClick={() => {
                    select(x.points)
                    askLabel()
                  }}
                >
                  Label again
                </button>
              )}
              {!x.event && <span class="muted small">from the {x.source || 'file'}</span>}
            </div>
          </li>
        ))}
      </ul>
      {every.length > likely.length && (
        <button type="button" class="plain small" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show likely ones only' : `Show ${count(every.length - likely.length, 'constraint')} that ${every.length - likely.length === 1 ? 'is' : 'are'} probably right`}
        </button>
      )}
    </div>
  )
}
