// What the program noticed about the data, until the person closes it.

import { signal } from '@preact/signals'
import { dataKey, server } from '../data/state'
import { IconButton } from '../parts/IconButton'

const closed = signal('')

export function Notes() {
  const notes = server.value?.notes ?? []
  const key = `${dataKey.value}|${notes.join('|')}`
  if (notes.length === 0 || closed.value === key) return null
  return (
    <div class="notes" role="note">
      <ul>{notes.map((n) => <li key={n}>{n}</li>)}</ul>
      <IconButton icon="close" label="Close the notes" class="quiet" onClick={() => (closed.value = key)} />
    </div>
  )
}
