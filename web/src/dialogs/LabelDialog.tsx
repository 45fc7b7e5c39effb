// A label for the selected rows.

import { useState } from 'preact/hooks'
import { labelPoints } from '../data/actions'
import { clusters, selection } from '../data/state'
import { count } from '../data/words'
import { Dialog } from '../parts/Dialog'

export function LabelDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const points = selection.value
  if (!points) return null
  function save(e: Event) {
    e.preventDefault()
    const label = text.trim()
    if (!label || !points) return
    onClose()
    void labelPoints(points, label)
  }
  return (
    <Dialog
      title={`Label ${count(points.length, 'row')}`}
      onClose={onClose}
      actions={
        <>
          <button type="button" class="button" onClick={onClose}>Cancel</button>
          <button type="submit" form="labelform" class="button primary" disabled={!text.trim()}>Label</button>
        </>
      }
    >
      <form id="labelform" onSubmit={save}>
        <label class="fieldlabel">
          Label
          <input data-first type="text" list="labels-known" autocomplete="off" value={text} onInput={(e) => setText(e.currentTarget.value)} />
        </label>
        <datalist id="labels-known">
          {clusters.value.map((c) => <option key={c.index} value={c.name} />)}
        </datalist>
        {clusters.value.length > 0 && (
          <p class="terms">
            {clusters.value.slice(0, 12).map((c) => (
              <button type="button" class="term" key={c.index} onClick={() => setText(c.name)}>{c.name}</button>
            ))}
          </p>
        )}
        <p class="muted">Rows with the same label are put into the same group.</p>
      </form>
    </Dialog>
  )
}
