// Which rows the table shows.

import { clusters, fit, groupTitle, rowFilter, selectionSize } from '../data/state'
import { number } from '../data/words'

export function RowFilters() {
  const f = rowFilter.value
  const value = f.kind === 'group' ? `group:${f.name}` : f.kind
  return (
    <label class="inlineselect">
      <span class="hiddentext">Show</span>
      <select
        value={value}
        onChange={(e) => {
          const v = e.currentTarget.value
          rowFilter.value = v.startsWith('group:') ? { kind: 'group', name: v.slice(6) } : { kind: v as 'all' | 'selection' | 'unassigned' }
        }}
      >
        <option value="all">All rows</option>
        <option value="selection" disabled={selectionSize.value === 0}>Selection ({number(selectionSize.value)})</option>
        {!!fit.value?.unassigned && <option value="unassigned">Unassigned ({number(fit.value.unassigned)})</option>}
        {f.kind === 'unassigned' && !fit.value?.unassigned && <option value="unassigned">Unassigned</option>}
        <optgroup label="Groups">
          {clusters.value.filter((c) => c.size > 0).map((c) => (
            <option key={c.index} value={`group:${c.name}`}>{groupTitle(c.name)} ({number(c.size)})</option>
          ))}
          {f.kind === 'group' && !clusters.value.some((c) => c.name === f.name) && <option value={value}>{groupTitle(f.name)}</option>}
        </optgroup>
      </select>
    </label>
  )
}
