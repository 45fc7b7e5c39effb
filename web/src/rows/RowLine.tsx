// One row of the table.

import type { Row } from '../data/types'
import { removePoint } from '../data/actions'
import { Confidence } from '../parts/Confidence'
import { GroupName } from '../parts/GroupName'
import { Icon } from '../parts/Icon'
import { Picture } from '../parts/Picture'
import type { TableColumn } from './columns'

interface Props {
  index: number
  row: Row | undefined
  top: number
  columns: TableColumn[]
  active: boolean
  selected: boolean
  onPick: (e: MouseEvent) => void
  onToggle: () => void
}

export function RowLine({ index, row, top, columns, active, selected, onPick, onToggle }: Props) {
  return (
    <div
      id={`row-${index}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      class={`line ${active ? 'active' : ''} ${selected ? 'selected' : ''} ${row ? '' : 'waiting'}`}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onPick}
    >
      {columns.map((c, i) => (
        <div key={c.key} role="gridcell" aria-colindex={i + 1} class={`cell ${c.key} ${c.numeric ? 'numeric' : ''}`} style={{ width: `${c.width}px` }}>
          {row && <Content c={c} row={row} selected={selected} onToggle={onToggle} />}
        </div>
      ))}
    </div>
  )
}

function Content({ c, row, selected, onToggle }: { c: TableColumn; row: Row; selected: boolean; onToggle: () => void }) {
  switch (c.key) {
    case 'select':
      return (
        <span
          class={`box ${selected ? 'on' : ''}`}
          onClick={(e) => {
            e.stopPropagation()
            onToggle()
          }}
        >
          {selected && <Icon name="check" size={12} />}
          <span class="hiddentext">{selected ? 'selected' : 'not selected'}</span>
        </span>
      )
    case 'picture':
      return <Picture key={row.point} point={row.point} id={row.id} side={64} bare />
    case 'id':
      return <span class="rowid ellipsis" title={row.id}>{row.id}</span>
    case 'cluster':
      return (
        <>
          <GroupName name={row.cluster} />
          {row.cluster && (
            <button
              type="button"
              class="removerow"
              tabIndex={-1}
              aria-label={`${row.id} is not in this group`}
              title="Not in this group (Delete)"
              onClick={(e) => {
                e.stopPropagation()
                void removePoint(row.point, row.id)
              }}
            >
              <Icon name="close" size={12} />
            </button>
          )}
        </>
      )
    case 'confidence':
      return (
        <>
          <Confidence value={row.confidence} />
          {row.violates && <span class="warnword" title="in a violated constraint"><Icon name="warn" size={13} /><span class="hiddentext">in a violated constraint</span></span>}
        </>
      )
    case 'label':
      return row.label ? <span class="ellipsis" title={row.label}>{row.label}</span> : null
    default: {
      const text = row.cells[c.cell] ?? ''
      return <span class="ellipsis" title={text}>{text}</span>
    }
  }
}
