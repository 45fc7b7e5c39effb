// A small card beside the pointer.

import { GroupName } from '../parts/GroupName'
import { percent } from '../data/words'
import { hover, hoverDetail } from './hover'

export function HoverCard() {
  const h = hover.value
  const d = hoverDetail.value
  if (!h || !d || d.point !== h.point) return null
  const right = h.x < 320
  return (
    <div
      class="hovercard"
      aria-hidden="true"
      style={right ? { left: `${h.x + 14}px`, top: `${h.y + 10}px` } : { left: `${h.x - 14}px`, top: `${h.y + 10}px`, translate: '-100% 0' }}
    >
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
