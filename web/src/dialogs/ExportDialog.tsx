// Files to take along: results, constraints, the session, a report and pictures.

import { useState } from 'preact/hooks'
import { copyCommand } from '../data/actions'
import { download, saveBlob } from '../data/api'
import { selection, server } from '../data/state'
import { toastError } from '../data/toasts'
import { count, number } from '../data/words'
import { Dialog } from '../parts/Dialog'
import { Icon } from '../parts/Icon'
import { picture } from '../imagepanel/tools'
import { plot } from '../plotpanel/handle'

interface File {
  name: string
  text: string
  some?: boolean // can be limited to the selection
}

const tableFiles: File[] = [
  { name: 'rows.csv', text: 'Your rows with group and confidence', some: true },
  { name: 'clusters.csv', text: 'Id and group', some: true },
  { name: 'rows.parquet', text: 'Your rows as Parquet', some: true },
  { name: 'rows.jsonl', text: 'Your rows as JSON Lines', some: true },
  { name: 'report.html', text: 'A report, one HTML page' },
  { name: 'labels.csv', text: 'Labels you gave' },
  { name: 'links.csv', text: 'Must-links and cannot-links' },
  { name: 'session.jsonl', text: 'The session: everything you did' },
  { name: 'map.svg', text: 'The plot as a vector graphic' },
]

const imageFiles: File[] = [
  { name: 'mask.png', text: 'The mask' },
  { name: 'overlay.png', text: 'The image with the mask on top' },
  { name: 'strokes.png', text: 'Your strokes' },
  { name: 'session.jsonl', text: 'The session: everything you did' },
]

export function ExportDialog({ onClose }: { onClose: () => void }) {
  const s = server.value!
  const chosen = selection.value
  const [some, setSome] = useState(false)
  const [escape, setEscape] = useState(false)
  const files = s.kind === 'image' ? imageFiles : tableFiles
  // Messages are below the dialog.
  function failed(e: unknown) {
    onClose()
    toastError(e)
  }
  async function snapshot() {
    try {
      const blob = await (s.kind === 'image' ? picture.value : plot.value)?.snapshot()
      if (blob) saveBlob(blob, s.kind === 'image' ? 'screen.png' : 'plot.png')
    } catch (e) {
      failed(e)
    }
  }
  return (
    <Dialog
      title="Export"
      onClose={onClose}
      actions={
        <button type="button" class="button" onClick={() => {
          onClose()
          void copyCommand()
        }}>
          <Icon name="command" /> Copy the command that gives this result
        </button>
      }
    >
      {chosen && s.kind !== 'image' && (
        <fieldset class="radios">
          <legend class="hiddentext">Which rows</legend>
          <label><input type="radio" name="which" checked={!some} onChange={() => setSome(false)} /> All {count(s.rows, 'row')}</label>
          <label><input type="radio" name="which" checked={some} onChange={() => setSome(true)} /> The selection ({number(chosen.length)})</label>
        </fieldset>
      )}
      {s.kind !== 'image' && (
        <label class="check" title="CSV files get an apostrophe before cells that a spreadsheet would take for formulas">
          <input type="checkbox" checked={escape} onChange={(e) => setEscape(e.currentTarget.checked)} /> <span>Safe for spreadsheets</span>
        </label>
      )}
      <ul class="exports">
        {files.map((f, i) => {
          const off = some && !f.some
          return (
            <li key={f.name}>
              <button type="button" {...(i === 0 ? { 'data-first': true } : {})} disabled={off} onClick={() => void download(f.name, some && f.some && chosen ? chosen : undefined, escape).catch(failed)}>
                <Icon name="export" />
                <span><strong>{f.name}</strong><span class="muted">{f.text}</span></span>
              </button>
            </li>
          )
        })}
        <li>
          <button type="button" onClick={() => void snapshot()}>
            <Icon name="export" />
            <span><strong>{s.kind === 'image' ? 'screen.png' : 'plot.png'}</strong><span class="muted">The view as it is now</span></span>
          </button>
        </li>
      </ul>
    </Dialog>
  )
}
