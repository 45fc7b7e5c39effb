// What the program noticed about the data.

import { server } from '../data/state'
import { Dialog } from '../parts/Dialog'

export function NotesDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Notes" onClose={onClose}>
      <ul class="notes">{(server.value?.notes ?? []).map((n) => <li key={n}>{n}</li>)}</ul>
    </Dialog>
  )
}
