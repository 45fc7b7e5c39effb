// Labels and links that disagree with everything else.

import { forgetEvent } from '../data/actions'
import { useEffect, useState } from 'preact/hooks'
import { api } from '../data/api'
import { useLoaded } from '../data/loaded'
import { fit, phoneTab, selection, server } from '../data/state'
import { percent } from '../data/words'
import { Empty } from '../parts/Empty'
import { plot } from '../plotpanel/handle'

export function SuspectsPanel() {
  const [round, again] = useState(0)
  const got = useLoaded(`${fit.value?.n}|${server.value?.events}|${round}`, () => api.suspects())
  const v = got.value
  const waiting = v !== null && !v.ready && !got.busy
  useEffect(() => {
    if (!waiting) return
    const t = setTimeout(() => again(round + 1), 1_000)
    return () => clearTimeout(t)
  }, [waiting, round])
  if (!v) return <p class="muted pad">{got.error ?? 'Loading…'}</p>
  const list = v.suspects ?? []
  return (
    <div class="checks">
      <p class="lead">Constraints that are likely to be wrong, most likely first.</p>
      {!v.ready && <p class="muted waiting" role="status"><span class="spinner" aria-hidden="true" /> Checking every constraint against the others…</p>}
      {v.ready && list.length === 0 && <Empty title="No suspects">Your labels and links agree with one another and with the data.</Empty>}
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
            </button>
            <div class="checkactions">
              {x.event ? (
                <button type="button" class="button small" onClick={() => void forgetEvent(x.event!)}>Drop</button>
              ) : (
                <span class="muted small">from {x.source || 'a file'}</span>
              )}
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}
