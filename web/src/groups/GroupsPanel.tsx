// The clusters, largest first, with the rows that belong to none at the end.

import { useState } from 'preact/hooks'
import { clusters, fit, groupTitle, hidden, rowFilter, phoneTab, openGroup } from '../data/state'
import { Empty } from '../parts/Empty'
import { Icon } from '../parts/Icon'
import { Chip } from '../parts/Chip'
import { count, number } from '../data/words'
import { GroupItem } from './GroupItem'

export function GroupsPanel() {
  const [filter, setFilter] = useState('')
  const f = fit.value
  const list = clusters.value.filter((c) => c.size > 0).sort((a, b) => b.size - a.size || a.index - b.index)
  const wanted = filter.trim().toLowerCase()
  const shown = wanted ? list.filter((c) => `${groupTitle(c.name)} ${c.summary ?? ''} ${(c.terms ?? []).join(' ')}`.toLowerCase().includes(wanted)) : list
  const largest = list[0]?.size ?? 1
  return (
    <section class="panel groups" aria-label="Groups">
      <header class="panelhead">
        <h2 id="groups-title" tabIndex={-1}>Groups</h2>
        <span class="muted">{f ? number(list.length) : ''}</span>
        <span class="spacer" />
        {hidden.value.size > 0 && (
          <button type="button" class="plain small" onClick={() => (hidden.value = new Set())}>
            Show all
          </button>
        )}
      </header>
      {list.length > 12 && (
        <label class="searchbox inset">
          <Icon name="search" size={14} />
          <span class="hiddentext">Filter groups</span>
          <input type="search" placeholder="Filter groups" value={filter} onInput={(e) => setFilter(e.currentTarget.value)} />
        </label>
      )}
      <div class="panelbody">
        {!f && <Empty title="No groups yet">They appear when the first fit is done.</Empty>}
        <ul class="grouplist">
          {shown.map((c) => (
            <GroupItem key={c.index} cluster={c} largest={largest} open={openGroup.value === c.name} />
          ))}
        </ul>
        {!!f?.empty && (
          <p class="muted small pad">
            {f.empty === 1 ? 'One of the requested groups is empty' : `${number(f.empty)} of the requested groups are empty`}
            {f.whyEmpty ? `: ${f.whyEmpty}.` : '.'}
          </p>
        )}
        {f && f.unassigned > 0 && (
          <button
            type="button"
            class="unassigned"
            onClick={() => {
              rowFilter.value = { kind: 'unassigned' }
              phoneTab.value = 'rows'
            }}
          >
            <Chip index={null} />
            <span>Unassigned</span>
            <span class="num">{number(f.unassigned)}</span>
            <span class="hiddentext">Show {count(f.unassigned, 'unassigned row')}</span>
          </button>
        )}
      </div>
    </section>
  )
}
