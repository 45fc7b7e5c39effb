// A name for the result that is shown, under which it can be returned to.

import { useState } from 'preact/hooks'
import { saveState } from '../data/actions'
import { server } from '../data/state'
import { count } from '../data/words'
import { Dialog } from '../parts/Dialog'

export function StateDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const s = server.value!
  const taken = (s.states ?? []).some((x) => x.name === text.trim() && x.fit !== s.fit?.n)
  async function save(e: Event) {
    e.preventDefault()
    const name = text.trim()
    if (!name || taken) return
    onClose()
    await saveState(name)
  }
  return (
    <Dialog
      title="Save this result"
      onClose={onClose}
      actions={
        <>
          <button type="button" class="button" onClick={onClose}>Cancel</button>
          <button type="submit" form="stateform" class="button primary" disabled={!text.trim() || taken}>Save</button>
        </>
      }
    >
      <form id="stateform" onSubmit={(e) => void save(e)}>
        <label class="fieldlabel">
          Name
          <input data-first type="text" autocomplete="off" value={text} aria-describedby="statenote" onInput={(e) => setText(e.currentTarget.value)} />
        </label>
        <p id="statenote" class="muted small" role="status">
          {taken ? 'A saved result has this name.' : `Saves ${s.fit ? count(s.fit.k, 'group') : 'the groups'}, the settings, and all labels and links behind them.`}
        </p>
      </form>
    </Dialog>
  )
}
