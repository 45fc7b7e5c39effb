// Name of the data, the fit, and what concerns everything.

import { closeData, copyCommand, redo, undo } from '../data/actions'
import { theme, shownKey } from '../data/prefs'
import { connection, dialog, phoneTab, server, sideTab } from '../data/state'
import { IconButton } from '../parts/IconButton'
import { count } from '../data/words'
import { hasColumns } from '../dialogs/NotesDialog'
import { FitState } from './FitState'
import { Mark } from './Mark'

const nextTheme: Record<string, 'auto' | 'light' | 'dark'> = { auto: 'light', light: 'dark', dark: 'auto' }
const themeIcon = { auto: 'auto', light: 'sun', dark: 'moon' } as const

export function TopBar() {
  const s = server.value
  const loaded = !!s && s.kind !== 'none'
  const t = (['light', 'dark'].includes(theme.value) ? theme.value : 'auto') as 'auto' | 'light' | 'dark'
  return (
    <header class="topbar">
      <span class="brand"><Mark /> <span class="brandname">inkling</span></span>
      {loaded && (
        <>
          <h1 class="filename" title={s.session ? `${s.name}, session ${s.session}` : s.name}>{s.name}</h1>
          <IconButton icon="close" label="Close and open other data" class="quiet" onClick={() => void closeData()} />
          <FitState />
          {!!s.notes?.length && (
            <IconButton icon="info" text={String(s.notes.length)} label={count(s.notes.length, 'note')} class="quiet desktoponly" onClick={() => (dialog.value = { name: 'notes' })} />
          )}
        </>
      )}
      <span class="spacer" />
      {connection.value === 'lost' && <span class="lost" role="status">Reconnecting…</span>}
      <nav class="actions" aria-label="Actions">
        {loaded && (
          <>
            <IconButton icon="undo" label={s.undo ? `Undo: ${s.undo}` : 'Undo'} keys="Ctrl+Z" disabled={!s.undo} onClick={() => void undo()} />
            <IconButton icon="redo" label={s.redo ? `Redo: ${s.redo}` : 'Redo'} keys="Ctrl+Shift+Z" disabled={!s.redo} onClick={() => void redo()} />
            <IconButton icon="history" label="History" keys={shownKey('history')} class="desktoponly" onClick={() => {
              sideTab.value = 'history'
              phoneTab.value = 'side'
            }} />
            <span class="divider" />
            {hasColumns() && <IconButton icon="columns" label="Columns: what each is for" class="late" onClick={() => (dialog.value = { name: 'columns' })} />}
            {s.kind !== 'image' && <IconButton icon="settings" label="Settings: method and number of groups" class="late" onClick={() => (dialog.value = { name: 'settings' })} />}
            <IconButton icon="command" label="Copy command" class="late" onClick={() => void copyCommand()} />
            <IconButton icon="export" label="Export" text="Export" class="primary" onClick={() => (dialog.value = { name: 'export' })} />
            <span class="divider" />
          </>
        )}
        <IconButton icon={themeIcon[t]} label={`Colours: ${t === 'auto' ? 'same as the system' : t}`} class="late" onClick={() => (theme.value = nextTheme[t] ?? 'auto')} />
        <IconButton icon="keys" label="Keyboard shortcuts" keys={shownKey('keys')} class="late" onClick={() => (dialog.value = { name: 'keys' })} />
      </nav>
    </header>
  )
}
