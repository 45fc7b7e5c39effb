// What the program noticed about the data, with buttons that read them in another way.

import { useState } from 'preact/hooks'
import { reopen } from '../data/actions'
import { dialog, server } from '../data/state'
import type { Offer } from '../data/types'
import { sentence } from '../data/words'
import { Dialog } from '../parts/Dialog'

export function NotesDialog({ onClose }: { onClose: () => void }) {
  const [busy, setBusy] = useState(false)
  const s = server.value
  const take = (o: Offer) => {
    if (o.as) {
      dialog.value = { name: 'columns', as: o.as } // the columns of the table have roles to look at
      return
    }
    setBusy(true)
    void reopen({ ...(o.column && o.role ? { roles: [{ column: o.column, role: o.role }] } : {}), ...(o.log ? { log: o.log } : {}) }).then((done) => {
      setBusy(false)
      if (done) onClose()
    })
  }
  return (
    <Dialog
      title="Notes"
      onClose={onClose}
      actions={s?.kind === 'table' && hasColumns() ? <button type="button" class="button" onClick={() => (dialog.value = { name: 'columns' })}>Change columns…</button> : undefined}
    >
      <ul class="notes">
        {(s?.notes ?? []).map((n) => (
          <li key={n.text}>
            {sentence(n.text)}
            {(n.offers ?? []).map((o) => (
              <button key={o.text} type="button" class="button small" disabled={busy} onClick={() => take(o)}>{o.text}</button>
            ))}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

// Arrays without names of columns have no roles to change.
export function hasColumns(): boolean {
  const s = server.value
  return s?.kind === 'table' && (s.columns ?? []).some((c) => c.role !== 'number' || c.holds !== '')
}
