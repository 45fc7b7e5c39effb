// A selection of many rows, by group.

import { acceptPoints, acceptSure, askLabel, select, splitSelection, sureBound } from '../data/actions'
import { assigned, clusters, dialog, fit, groupTitle, phoneTab, rowFilter, selectedByCluster } from '../data/state'
import { clusterColour } from '../data/colours'
import { dark, shownKey } from '../data/prefs'
import { count, number, percent } from '../data/words'
import { Facets, SetApart } from '../facets/Facets'
import { Chip } from '../parts/Chip'
import { IconButton } from '../parts/IconButton'
import { plot } from '../plotpanel/handle'

export function ManyDetails({ points }: { points: Uint32Array }) {
  const by = [...selectedByCluster.value.entries()].sort((a, b) => b[1] - a[1])
  const none = assigned.value?.none
  const bound = fit.value?.sure && assigned.value ? sureBound(points, assigned.value.flags) : 0
  return (
    <div class="details">
      <h3 class="detailtitle">{count(points.length, 'row')} selected</h3>
      <div class="cardactions">
        <IconButton icon="tag" text="Label" label="Label the selection" keys={shownKey('label')} onClick={askLabel} />
        <IconButton icon="check" text="Accept" label="Accept: label each row with the name of its group" onClick={() => void acceptPoints(points)} />
        {bound > 0 && (
          <IconButton icon="check" text={`Accept above ${percent(bound)}`} label={`Accept above ${percent(bound)}: label those whose confidence is at least ${percent(bound)} with the names of their groups`} onClick={() => void acceptSure(points, bound, 'Accepted the confident rows of the selection')} />
        )}
        <IconButton icon="split" text="Split off" label="Split off: put the selection into a group of its own" onClick={() => void splitSelection(points)} />
        <IconButton icon="rows" text="Rows" label="Show the selected rows in the table" onClick={() => {
          rowFilter.value = { kind: 'selection' }
          phoneTab.value = 'rows'
        }} />
        <IconButton icon="target" text="Zoom" label="Zoom to the selection" onClick={() => {
          phoneTab.value = 'plot'
          plot.value?.zoomTo(points)
        }} />
        <IconButton icon="export" text="Export" label="Export the selection" onClick={() => (dialog.value = { name: 'export' })} />
        <IconButton icon="close" text="Clear" label="Clear the selection" keys="Esc" onClick={() => select(null)} />
      </div>
      <h4>By group</h4>
      <ul class="bars">
        {by.map(([index, n]) => {
          const c = clusters.value.find((o) => o.index === index)
          return (
            <li key={index}>
              <Chip index={index === none ? null : index} />
              <span class="ellipsis">{groupTitle(c?.name ?? '')}</span>
              <span class="num">{number(n)}{c && <span class="muted"> / {number(c.size)}</span>}</span>
              <span class="sizebar" aria-hidden="true">
                <span style={{ width: `${(100 * n) / points.length}%`, backgroundColor: c ? clusterColour(index, dark.value) : 'var(--muted)' }} />
              </span>
            </li>
          )
        })}
      </ul>
      <SetApart />
      <Facets />
      <p class="muted small">The plot is a projection: rows that are close together on it can differ in ways that it does not show. Look at a few rows before you label them.</p>
    </div>
  )
}
