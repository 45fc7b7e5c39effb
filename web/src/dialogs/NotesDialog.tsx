// What the program noticed about the data.

import { server } from '../data/state'
import { sentence } from '../data/words'
import { Dialog } from '../parts/Dialog'

export function NotesDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Notes" onClose={onClose}>
      <ul class="notes">{(server.value?.notes ?? []).map((n) => <li key={n}>{sentence(n)}</li>)}</ul>
    </Dialog>
  )
}
