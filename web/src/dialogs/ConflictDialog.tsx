// A change contradicts what was said before: the chain, and one click that repairs it.

import { useState } from 'preact/hooks'
import { conflict, type Conflict } from '../data/actions'
import { api } from '../data/api'
import { toastError } from '../data/toasts'
import { capital, sentence } from '../data/words'
import type { Repair } from '../data/types'
import { Dialog } from '../parts/Dialog'

export function ConflictDialog({ conflict: c }: { conflict: Conflict }) {
  const [busy, setBusy] = useState(false)
  const close = () => (conflict.value = null)
  async function repair(r: Repair) {
    setBusy(true)
    try {
      if (r.forget?.length) await api.change('forget', { events: r.forget })
      if (r.points?.length) await api.change('forget', { points: r.points })
      close()
      await c.retry()
    } catch (e) {
      setBusy(false)
      toastError(e)
    }
  }
  const { message, chain, repairs } = c.contradiction
  return (
    <Dialog
      title="This contradicts an earlier constraint"
      onClose={close}
      actions={
        <>
          <button type="button" class="button" disabled={busy} onClick={() => {
            close()
            void c.force()
          }}>Keep both</button>
          <button type="button" class="button primary" data-first disabled={busy} onClick={close}>Discard this change</button>
        </>
      }
    >
      <p>{sentence(message)}</p>
      {!!chain?.length && (
        <>
          <h3>Because</h3>
          <ol class="chain">
            {chain.map((x, i) => <li key={i}>{x.text}{x.event > 0 && <span class="muted"> (event {x.event})</span>}</li>)}
          </ol>
        </>
      )}
      {!!repairs?.length && (
        <>
          <h3>Repair</h3>
          <ul class="repairs">
            {repairs.map((r, i) => (
              <li key={i}>
                <button type="button" class="button" disabled={busy} onClick={() => void repair(r)}>{capital(r.text)}</button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}
