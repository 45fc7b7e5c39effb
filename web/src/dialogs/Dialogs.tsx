// The dialog that is open, if any.

import { ColumnsDialog, groupWords } from '../columns/ColumnsDialog'
import { conflict, reopen } from '../data/actions'
import { dialog, server } from '../data/state'
import { ConflictDialog } from './ConflictDialog'
import { ExportDialog } from './ExportDialog'
import { KeysDialog } from './KeysDialog'
import { LabelDialog } from './LabelDialog'
import { MergeDialog } from './MergeDialog'
import { NotesDialog } from './NotesDialog'
import { RenameDialog } from './RenameDialog'
import { SettingsDialog } from './SettingsDialog'
import { StateDialog } from './StateDialog'

export function Dialogs() {
  const d = dialog.value
  const close = () => (dialog.value = null)
  if (conflict.value) return <ConflictDialog conflict={conflict.value} />
  if (!d) return null
  switch (d.name) {
    case 'keys':
      return <KeysDialog onClose={close} />
    case 'export':
      return <ExportDialog onClose={close} />
    case 'settings':
      return <SettingsDialog onClose={close} />
    case 'label':
      return <LabelDialog onClose={close} />
    case 'state':
      return <StateDialog onClose={close} />
    case 'notes':
      return <NotesDialog onClose={close} />
    case 'columns':
      return (
        <ColumnsDialog
          title={`Columns of ${server.value?.name ?? ''}`}
          upload=""
          {...(d.as ? { as: d.as } : {})}
          first={null}
          words="Change what a column is for. The rows are grouped again; your answers stay with their rows."
          action={groupWords}
          onClose={close}
          onDone={reopen}
        />
      )
    case 'rename':
      return <RenameDialog cluster={d.cluster ?? ''} onClose={close} />
    case 'merge':
      return <MergeDialog cluster={d.cluster ?? ''} onClose={close} />
  }
}
