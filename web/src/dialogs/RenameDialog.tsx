// A name for a group; it stays when the groups are computed again.

import { useState } from 'preact/hooks'
import { renameGroup } from '../data/actions'
import { groupTitle, openGroup, rowFilter } from '../data/state'
import { Dialog } from '../parts/Dialog'

export function RenameDialog({ cluster, onClose }: { cluster: string; onClose: () => void }) {
  const [text, setText] = useState(/^\d+$/.test(cluster) ? '' : cluster)
  async function save(e: Event) {
    e.preventDefault()
    const name = text.trim()
    onClose()
    if (!name || name === cluster) return
    if (await renameGroup(cluster, name)) {
      if (openGroup.value === cluster) openGroup.value = name
      const f = rowFilter.value
      if (f.kind === 'group' && f.name === cluster) rowFilter.value = { kind: 'group', name }
    }
  }
  return (
    <Dialog
      title={`Rename “${groupTitle(cluster)}”`}
      onClose={onClose}
      actions={
        <>
          <button type="button" class="button" onClick={onClose}>Cancel</button>
          <button type="submit" form="renameform" class="button primary" disabled={!text.trim()}>Rename</button>
        </>
      }
    >
      <form id="renameform" onSubmit={(e) => void save(e)}>
        <label class="fieldlabel">
          Name
          <input data-first type="text" autocomplete="off" value={text} onFocus={(e) => e.currentTarget.select()} onInput={(e) => setText(e.currentTarget.value)} />
        </label>
      </form>
    </Dialog>
  )
}
