// The first 50 rows and the guessed role of each column, to confirm or correct.

import { useState } from 'preact/hooks'
import { api, type Uploaded } from '../data/api'
import { toastError } from '../data/toasts'
import type { Role } from '../data/types'
import { Dialog } from '../parts/Dialog'

const roleWords: Record<Role, string> = {
  id: 'id',
  label: 'known label',
  number: 'number',
  category: 'category',
  date: 'date',
  text: 'text',
  dropped: 'ignore',
}

export function PreviewDialog({ name, uploaded, onClose }: { name: string; uploaded: Uploaded; onClose: () => void }) {
  const { columns, rows } = uploaded.preview
  const [roles, setRoles] = useState<Role[]>(columns.map((c) => c.role))
  const [busy, setBusy] = useState(false)

  function setRole(at: number, role: Role) {
    setRoles(roles.map((r, i) => (i === at ? role : (role === 'id' || role === 'label') && r === role ? guessed(i) : r)))
  }
  // A table has one id and one label: the column that loses the role goes back to what it holds.
  function guessed(i: number): Role {
    const r = columns[i]!.role
    return r === 'id' || r === 'label' ? 'category' : r
  }
  function begin() {
    setBusy(true)
    const id = columns[roles.indexOf('id')]?.name
    const label = columns[roles.indexOf('label')]?.name
    const drop = columns.filter((_, i) => roles[i] === 'dropped').map((c) => c.name)
    api
      .begin({ upload: uploaded.upload, ...(id !== undefined ? { id } : {}), ...(label !== undefined ? { label } : {}), ...(drop.length ? { drop } : {}) })
      .then(onClose, (e: unknown) => {
        setBusy(false)
        toastError(e)
      })
  }
  return (
    <Dialog
      wide
      title={name}
      onClose={onClose}
      actions={
        <>
          <button type="button" class="button" onClick={onClose}>Cancel</button>
          <button type="button" class="button primary" data-first disabled={busy} onClick={begin}>{busy ? 'Opening…' : 'Group these rows'}</button>
        </>
      }
    >
      <p>Check what each column holds. Numbers, categories, dates and texts are used to group the rows.</p>
      <div class="tablescroll preview" tabIndex={0} role="region" aria-label="First rows">
        <table>
          <thead>
            <tr>{columns.map((c) => <th key={c.name} scope="col">{c.name}</th>)}</tr>
            <tr>
              {columns.map((c, i) => (
                <td key={c.name}>
                  <select aria-label={`Role of ${c.name}`} value={roles[i]} onChange={(e) => setRole(i, e.currentTarget.value as Role)}>
                    {[...new Set<Role>([guessed(i), c.role, 'id', 'label', 'dropped'])].map((r) => (
                      <option key={r} value={r}>{roleWords[r] ?? r}</option>
                    ))}
                  </select>
                </td>
              ))}
            </tr>
          </thead>
          <tbody>
            {(rows ?? []).slice(0, 50).map((r, i) => (
              <tr key={i}>{columns.map((c, j) => <td key={c.name} class={roles[j] === 'dropped' ? 'off' : ''} title={r[j]}>{r[j]}</td>)}</tr>
            ))}
          </tbody>
        </table>
      </div>
    </Dialog>
  )
}
