// A small card beside the pointer.

import { server } from '../data/state'
import { GroupName } from '../parts/GroupName'
import { Picture } from '../parts/Picture'
import { percent } from '../data/words'
import { hover, hoverDetail } from './hover'

export function HoverCard() {
  const h = hover.value
  const d = hoverDetail.value
  if (!h || !d || d.point !== h.point) return null
  // Towards the middle of the plot, so that the card stays inside.
  const area = document.querySelector('.plotarea')
  const left = h.x > (area?.clientWidth ?? 0) / 2
  const up = h.y > (area?.clientHeight ?? 0) / 2
  return (
    <div
      class="hovercard"
      aria-hidden="true"
      style={{ left: `${h.x + (left ? -14 : 14)}px`, top: `${h.y + (up ? -10 : 10)}px`, translate: `${left ? '-100%' : '0'} ${up ? '-100%' : '0'}` }}
    >
      {server.value?.pictures && <Picture key={d.point} point={d.point} id={d.id} bare />}
      <p class="rowid">{d.id}</p>
      <p class="hovergroup">
        <GroupName name={d.cluster} /> {d.confidence !== null && <span class="muted">{percent(d.confidence)}</span>}
      </p>
      {d.label && <p class="muted">Label: {d.label}</p>}
      {d.text && <p class="hovertext">{d.text}</p>}
      {!!d.cells?.length && (
        <dl>
          {d.cells.slice(0, 5).map((c) => (
            <div key={c.column}>
              <dt>{c.column}</dt>
              <dd>{c.value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}
