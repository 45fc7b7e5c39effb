// The columns of the table: what inkling says about a row, then the person's own.

import { narrow } from '../data/prefs'
import { server } from '../data/state'

// How rows are sorted; by '': as they are in the data.
export interface Sort {
  by: string
  desc: boolean
}

export interface TableColumn {
  key: string
  title: string
  width: number
  sort: string // '' where rows cannot be sorted by it
  cell: number // the index among the cells of a row, or -1
  numeric: boolean
}

const most = 80 // more are in the details of a row

export function columnsOf(names: string[]): TableColumn[] {
  const roles = new Map((server.value?.columns ?? []).map((c) => [c.name, c.role]))
  const own = names.slice(0, most).map((name, i) => {
    const role = roles.get(name)
    return {
      key: `cell ${i}`,
      title: name,
      width: role === 'text' ? 360 : role === 'number' ? Math.max(84, Math.min(150, 24 + name.length * 7)) : 130,
      sort: name,
      cell: i,
      numeric: role === 'number',
    }
  })
  const first = (key: string, title: string, width: number, sort = key): TableColumn => ({ key, title, width, sort, cell: -1, numeric: false })
  return [
    first('select', 'Selected', 34, ''),
    ...(server.value?.pictures ? [first('picture', 'Picture', 48, '')] : []),
    first('id', 'Id', narrow.value ? 88 : 130),
    first('cluster', 'Group', narrow.value ? 138 : 170),
    first('confidence', 'Confidence', 116),
    first('label', 'Label', 110),
    ...own.filter((c) => roles.get(c.title) !== 'id' && roles.get(c.title) !== 'label'),
  ]
}
