// One cluster in the list: it opens to its card, and can be dropped on another one to merge the two.

import { mergeGroups, toggleHidden } from '../data/actions'
import { clusterColour } from '../data/colours'
import { dark } from '../data/prefs'
import { groupTitle, hidden, openGroup, selectedByCluster, selectionSize } from '../data/state'
import { number } from '../data/words'
import type { Cluster } from '../data/types'
import { Chip } from '../parts/Chip'
import { IconButton } from '../parts/IconButton'
import { GroupCard } from './GroupCard'

const dragType = 'application/x-inkling-group'

export function GroupItem({ cluster: c, largest, open }: { cluster: Cluster; largest: number; open: boolean }) {
  const title = groupTitle(c.name)
  const isHidden = hidden.value.has(c.index)
  const selected = selectedByCluster.value.get(c.index) ?? 0
  const summary = c.summary || (c.terms ?? []).slice(0, 4).join(', ')
  return (
    <li
      class={`group ${open ? 'open' : ''} ${isHidden ? 'dimmed' : ''}`}
      onDragOver={(e) => {
        if (e.dataTransfer?.types.includes(dragType)) {
          e.preventDefault()
          e.currentTarget.classList.add('drop')
        }
      }}
      onDragLeave={(e) => e.currentTarget.classList.remove('drop')}
      onDrop={(e) => {
        e.currentTarget.classList.remove('drop')
        const from = e.dataTransfer?.getData(dragType)
        if (from && from !== c.name) {
          e.preventDefault()
          void mergeGroups(c.name, from)
        }
      }}
    >
      <div class="grouphead" draggable onDragStart={(e) => e.dataTransfer?.setData(dragType, c.name)}>
        <button
          type="button"
          class="groupbutton"
          aria-expanded={open}
          onClick={() => (openGroup.value = open ? null : c.name)}
        >
          <Chip index={c.index} />
          <span class="grouptexts">
            <span class="groupline">
              <span class="groupname1 ellipsis">{title}</span>
              <span class="num">
                {selectionSize.value > 0 && <span class="selectedcount">{number(selected)} / </span>}
                {number(c.size)}
              </span>
            </span>
            {summary && <span class="summary">{summary}</span>}
          </span>
        </button>
        <IconButton
          icon={isHidden ? 'eyeOff' : 'eye'}
          label={isHidden ? `Show ${title} on the plot` : `Hide ${title} on the plot`}
          pressed={isHidden}
          class="quiet"
          onClick={() => toggleHidden(c.index)}
        />
      </div>
      <span class="sizebar" aria-hidden="true">
        <span style={{ width: `${(100 * c.size) / largest}%`, backgroundColor: clusterColour(c.index, dark.value) }} />
      </span>
      {open && <GroupCard cluster={c} />}
    </li>
  )
}
