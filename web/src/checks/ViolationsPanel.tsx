// Constraints that the result does not satisfy, most costly first.

import { forgetEvent, forgetLabels, softenEvent } from '../data/actions'
import { api } from '../data/api'
import { useLoaded } from '../data/loaded'
import { fit, server, selection, phoneTab } from '../data/state'
import { count, figure } from '../data/words'
import { Empty } from '../parts/Empty'
import { GroupName } from '../parts/GroupName'
import { plot } from '../plotpanel/handle'
import { useState } from 'preact/hooks'
import type { Violation } from '../data/types'

const kinds: Record<string, string> = { must: 'Must-link', cannot: 'Cannot-link', belief: 'Belief', label: 'Label' }

export function ViolationsPanel() {
  const got = useLoaded(`${fit.value?.n}|${server.value?.events}`, api.violations)
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const v = got.value
  if (!v) return <p class="muted pad">{got.error ?? 'Loading…'}</p>
  const list = (v.violations ?? []).filter((x) => !kept.has(x.text))
  return (
    <div class="checks">
      <p class="lead">
        {v.total === 0 ? 'No constraints yet.' : v.satisfied === v.total ? `All ${count(v.total, 'constraint')} satisfied.` : `${v.satisfied} of ${count(v.total, 'constraint')} satisfied.`}
      </p>
      {list.length === 0 && <Empty title="No violations">{kept.size > 0 ? `You keep ${count(kept.size, 'violated constraint')}.` : 'A constraint that a fit cannot satisfy is listed here with its cost.'}</Empty>}
      <ul class="checklist">
        {list.map((x, i) => (
          <li key={`${x.event ?? x.source}-${i}`}>
            <button type="button" class="checkmain" onClick={() => show(x)}>
              <span class="checkkind">{kinds[x.kind] ?? x.kind}</span>
              <span>{x.text}</span>
              {x.b && (
                <span class="checkgroups">
                  <GroupName name={x.a.cluster} /> <GroupName name={x.b.cluster} />
                </span>
              )}
              {x.cost !== null && x.cost !== undefined && <span class="muted">Satisfying it would cost {figure(x.cost, 3)}</span>}
            </button>
            <div class="checkactions">
              {x.event ? (
                <>
                  <button type="button" class="button small" onClick={() => void forgetEvent(x.event!)}>Drop</button>
                  {x.kind !== 'label' && <button type="button" class="button small" onClick={() => void softenEvent(x.event!, 0.5)}>Soften</button>}
                </>
              ) : (
                <>
                  {x.kind === 'label' && <button type="button" class="button small" onClick={() => void forgetLabels([x.a.point])}>Drop</button>}
                  <span class="muted small">from the {x.source || 'file'}</span>
                </>
              )}
              <button type="button" class="button small" onClick={() => setKept(new Set([...kept, x.text]))}>Keep</button>
            </div>
          </li>
        ))}
      </ul>
      {kept.size > 0 && <button type="button" class="plain small pad" onClick={() => setKept(new Set())}>Show the ones I keep</button>}
    </div>
  )
}

function show(x: Violation): void {
  const points = Uint32Array.from(x.b ? [x.a.point, x.b.point] : [x.a.point])
  selection.value = points
  phoneTab.value = 'plot'
  plot.value?.zoomTo(points)
}
