// What a cluster is: its traits, typical and borderline rows, and what can be done with it.

import { acceptPoints, acceptSure, membersOf, mergeGroups, select, splitGroup, sureBound } from '../data/actions'
import { api } from '../data/api'
import { useLoaded } from '../data/loaded'
import { assigned, dialog, fit, groupTitle, phoneTab, rowFilter, server } from '../data/state'
import { plot } from '../plotpanel/handle'
import { figure, number, percent } from '../data/words'
import type { Cluster } from '../data/types'
import { GroupName } from '../parts/GroupName'
import { IconButton } from '../parts/IconButton'
import { openPoint } from '../details/open'
import { PictureGrid } from './PictureGrid'

export function GroupCard({ cluster: c }: { cluster: Cluster }) {
  const card = useLoaded(`${c.name}|${fit.value?.n}|${server.value?.events}`, (stop) => api.cluster(c.name, stop))
  const v = card.value
  const title = groupTitle(c.name)
  const members = () => (assigned.value ? membersOf(c.index, assigned.value.clusters) : new Uint32Array())
  const bound = fit.value?.sure && assigned.value ? sureBound(members(), assigned.value.flags) : 0
  return (
    <div class="groupcard">
      <div class="cardactions">
        <IconButton icon="rows" text="Rows" label={`Show the rows of ${title}`} onClick={() => {
          rowFilter.value = { kind: 'group', name: c.name }
          phoneTab.value = 'rows'
        }} />
        <IconButton icon="target" text="Zoom" label={`Zoom to ${title}`} onClick={() => {
          const m = members()
          phoneTab.value = 'plot'
          if (m.length) plot.value?.zoomTo(m)
        }} />
        <IconButton icon="edit" text="Rename" label={`Rename ${title}`} onClick={() => (dialog.value = { name: 'rename', cluster: c.name })} />
        <IconButton icon="merge" text="Merge" label={`Merge ${title} with another group`} onClick={() => (dialog.value = { name: 'merge', cluster: c.name })} />
        <IconButton icon="check" text="Accept" label={`Accept all rows of ${title}: label them with its name`} onClick={() => void acceptPoints(members())} />
        <IconButton icon="lasso" text="Select" label={`Select all rows of ${title}`} onClick={() => select(members())} />
        {v?.branch && v.branch.parts.length === 2 && (
          <IconButton icon="split" text="Split in two" class="wholerow" label={`Split in two: ${title} has two dense parts in the tree, of ${number(v.branch.parts[0]!)} and ${number(v.branch.parts[1]!)} rows`} onClick={() => void splitGroup(c.name)} />
        )}
        {v?.branch?.nearest && (
          <IconButton icon="merge" text={`Merge with ${groupTitle(v.branch.nearest)}`} class="wholerow" label={`Merge with ${groupTitle(v.branch.nearest)}, the group nearest to ${title} in the tree`} onClick={() => void mergeGroups(v.branch!.nearest, c.name)} />
        )}
        {bound > 0 && (
          <IconButton icon="check" text={`Accept those above ${percent(bound)}`} class="wholerow" label={`Accept those above ${percent(bound)}: label the rows of ${title} whose confidence is at least ${percent(bound)} with its name`} onClick={() => void acceptSure(members(), bound, `Accepted the confident rows of ${title}`)} />
        )}
      </div>
      {server.value?.pictures && <PictureGrid cluster={c.name} title={title} />}
      {card.error && !v && <p class="muted">{card.error}</p>}
      {card.busy && !v && <p class="muted">Loading…</p>}
      {v && (
        <>
          {!!v.traits?.length && (
            <>
              <h3>What sets it apart</h3>
              <dl class="traits">
                {v.traits.slice(0, 6).map((t) => (
                  <div key={t.column}>
                    <dt title={t.column}>{t.column}</dt>
                    <dd>{t.text}</dd>
                  </div>
                ))}
              </dl>
            </>
          )}
          {!!v.terms?.length && (
            <>
              <h3>Terms</h3>
              <p class="terms">{v.terms.map((t) => <span class="term" key={t}>{t}</span>)}</p>
            </>
          )}
          {v.silhouette !== null && v.silhouette !== undefined && (
            <p class="muted silhouette" title="From −1 to 1: how much closer its rows are to one another than to the next group">
              Silhouette {figure(v.silhouette)}
            </p>
          )}
          {!!v.typical?.length && (
            <>
              <h3>Typical rows</h3>
              <ul class="rowlinks">
                {v.typical.map((r) => (
                  <li key={r.point}>
                    <button type="button" onClick={() => openPoint(r.point)}>
                      <span class="rowid">{r.id}</span>
                      {r.text && <span class="rowtext">{r.text}</span>}
                    </button>
                  </li>
                ))}
              </ul>
            </>
          )}
          {!!v.borderline?.length && (
            <>
              <h3>Borderline rows</h3>
              <ul class="rowlinks">
                {v.borderline.map((r) => (
                  <li key={r.point}>
                    <button type="button" onClick={() => openPoint(r.point)}>
                      <span class="rowid">{r.id}</span>
                      {r.next && <span class="nextgroup"><span class="muted">next:</span> <GroupName name={r.next} /></span>}
                      {r.text && <span class="rowtext">{r.text}</span>}
                    </button>
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </div>
  )
}
