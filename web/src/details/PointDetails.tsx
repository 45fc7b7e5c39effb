// One row: where it is and why, its cells, its true neighbours and its constraints.

import { shownKey } from '../data/prefs'
import { acceptPoints, askLabel, forgetEvent, removePoint, select } from '../data/actions'
import { api } from '../data/api'
import { useLoaded } from '../data/loaded'
import { fit, kind, phoneTab, selection, server } from '../data/state'
import { percent, sentence } from '../data/words'
import { Confidence } from '../parts/Confidence'
import { GroupName } from '../parts/GroupName'
import { IconButton } from '../parts/IconButton'
import { Picture } from '../parts/Picture'
import { plot } from '../plotpanel/handle'
import { openPoint } from './open'

const kinds: Record<string, string> = { must: 'must-link', cannot: 'cannot-link', belief: 'belief' }

export function PointDetails({ point }: { point: number }) {
  const got = useLoaded(`${point}|${fit.value?.n}|${fit.value?.sure}|${server.value?.events}`, (stop) => api.point(point, stop))
  const d = got.value
  if (!d || d.point !== point) return <p class="muted pad">{got.error ?? 'Loading…'}</p>
  return (
    <div class="details">
      <h3 class="detailtitle">{d.id}</h3>
      {server.value?.pictures && <Picture key={point} point={point} id={d.id} side={480} />}
      <p class="whereis">
        <GroupName name={d.cluster} plain /> <Confidence value={d.confidence} />
      </p>
      {d.next && d.next.cluster && (
        <p class="whereis muted">
          then <GroupName name={d.next.cluster} plain /> {d.next.confidence === null ? '' : percent(d.next.confidence)}
        </p>
      )}
      {d.why && <p>{sentence(d.why)}</p>}
      {d.label && <p>Label: <strong>{d.label}</strong></p>}
      <div class="cardactions">
        <IconButton icon="tag" text="Label" label="Label this row" keys={shownKey('label')} onClick={askLabel} />
        {d.cluster && <IconButton icon="check" text="Accept" label="Accept: label it with the name of its group" onClick={() => void acceptPoints([point])} />}
        {d.cluster && <IconButton icon="close" text="Not in this group" label="Not in this group" onClick={() => void removePoint(point, d.id)} />}
        <IconButton icon="target" text="Zoom" label="Zoom to this point" onClick={() => {
          phoneTab.value = 'plot'
          plot.value?.zoomTo(Uint32Array.of(point))
        }} />
      </div>
      {d.text && <p class="fulltext">{d.text}</p>}
      {!!d.links?.length && (
        <>
          <h4>Constraints</h4>
          <ul class="linklist">
            {d.links.map((l) => (
              <li key={`${l.event}-${l.point}`} class={l.violated ? 'violated' : ''}>
                <span>
                  {kinds[l.kind] ?? l.kind} with <button type="button" class="plain" onClick={() => openPoint(l.point)}>{l.id}</button>
                  {l.violated && <span class="warnword"> violated</span>}
                </span>
                {l.event > 0 && <IconButton icon="close" label={`Drop this ${kinds[l.kind] ?? l.kind}`} class="quiet" onClick={() => void forgetEvent(l.event)} />}
              </li>
            ))}
          </ul>
        </>
      )}
      {!!d.neighbours?.length && (
        <>
          <h4>{kind.value === 'graph' ? 'Neighbours' : 'True neighbours'}</h4>
          <p class="muted small">{kind.value === 'graph' ? 'Nodes that share an edge with it, with the weight of the edge.' : 'Nearest in all columns, not on the plot.'}</p>
          <ul class="neighbours">
            {d.neighbours.map((n) => (
              <li key={n.point}>
                <button type="button" class="plain ellipsis" onClick={() => openPoint(n.point)}>{n.id}</button>
                <GroupName name={n.cluster} />
                <span class="num muted">{n.similarity.toFixed(2)}</span>
                <IconButton icon="plus" label={`Compare with ${n.id}`} class="quiet" onClick={() => select([...(selection.value ?? []), n.point])} />
              </li>
            ))}
          </ul>
        </>
      )}
      {!!d.cells?.length && (
        <>
          <h4>Columns</h4>
          <dl class="cells">
            {d.cells.map((c) => (
              <div key={c.column}>
                <dt title={c.column}>{c.column}</dt>
                <dd>{c.value || '–'}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </div>
  )
}
