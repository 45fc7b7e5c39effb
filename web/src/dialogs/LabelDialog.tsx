// A label for the selected rows.

import { useState } from 'preact/hooks'
import { labelPoints } from '../data/actions'
import { clusters, selection } from '../data/state'
import { count } from '../data/words'
import { Dialog } from '../parts/Dialog'

export function LabelDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const points = selection.value
  const wanted = text.trim().toLowerCase()
  const named = clusters.value.filter((c) => c.size > 0 && c.name.toLowerCase().includes(wanted) && c.name !== text)
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
          <input data-first type="text" autocomplete="off" value={text} onInput={(e) => setText(e.currentTarget.value)} />
        </label>
        {named.length > 0 && (
          <p class="terms">
            {named.slice(0, 16).map((c) => (
              <button type="button" class="term" key={c.index} onClick={() => setText(c.name)}>{c.name}</button>
            ))}
          </p>
        )}
        <p class="muted">Rows with the same label go into the same group.</p>
      </form>
    </Dialog>
  )
}
