// The titles; a click sorts.

import type { Signal } from '@preact/signals'
import { Icon } from '../parts/Icon'
import type { Sort, TableColumn } from './columns'

export function RowHeader({ columns, sort, width }: { columns: TableColumn[]; sort: Signal<Sort>; width: number }) {
  function by(c: TableColumn) {
    const s = sort.value
    if (s.by !== c.sort) sort.value = { by: c.sort, desc: false }
    else if (!s.desc) sort.value = { by: c.sort, desc: true }
    else sort.value = { by: '', desc: false }
  }
  return (
    <div class="rowheader" role="rowgroup" style={{ minWidth: `${width}px` }}>
      <div role="row" aria-rowindex={1}>
        {columns.map((c, i) => {
          const on = c.sort !== '' && sort.value.by === c.sort
          return (
            <div
              key={c.key}
              role="columnheader"
              aria-colindex={i + 1}
              aria-sort={c.sort ? (on ? (sort.value.desc ? 'descending' : 'ascending') : 'none') : undefined}
              class={`cell ${c.key} ${c.numeric ? 'numeric' : ''}`}
              style={{ width: `${c.width}px` }}
            >
              {c.sort ? (
                <button type="button" title={`Sort by ${c.title}`} onClick={() => by(c)}>
                  <span class="ellipsis">{c.title}</span>
                  {on && <Icon name={sort.value.desc ? 'down' : 'up'} size={12} />}
                </button>
              ) : (
                <span class="hiddentext">{c.title}</span>
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}
