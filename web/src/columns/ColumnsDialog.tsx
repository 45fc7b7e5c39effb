// What each column is for, before a file is opened and after.

import { useEffect, useRef, useState } from 'preact/hooks'
import { api, ApiError } from '../data/api'
import { toastError } from '../data/toasts'
import type { ColumnSettings, ColumnTable, Fault, GivenColumn, Offer, Reading, Role } from '../data/types'
import { count } from '../data/words'
import { Dialog } from '../parts/Dialog'
import { ColumnRoles } from './ColumnRoles'

interface Props {
  title: string
  upload: string // '': the table that is open
  as?: string // what the file is used as: vectors for a table
  first: ColumnTable | null // null: it is asked for
  words: string
  action: (rows: number) => string
  onClose: () => void
  onDone: (r: Reading) => Promise<boolean>
}

export function ColumnsDialog({ title, upload, as, first, words, action, onClose, onDone }: Props) {
  const [table, setTable] = useState(first)
  const [given, setGiven] = useState<ReadonlyMap<string, GivenColumn>>(new Map())
  const [log, setLog] = useState('')
  const [problem, setProblem] = useState<Fault | null>(first?.error ?? null)
  const [busy, setBusy] = useState(false)
  const asked = useRef<AbortController | null>(null)

  useEffect(() => {
    if (!first) api.look(upload, reading(given, log), true).then((t) => show(t), (e: unknown) => { toastError(e); onClose() })
    return () => asked.current?.abort()
  }, [])

  function reading(columns: ReadonlyMap<string, GivenColumn>, logs: string): Reading {
    return { roles: [...columns].map(([column, g]) => ({ column, ...g })), ...(logs ? { log: logs } : {}), ...(as ? { as } : {}) }
  }

  function show(t: ColumnTable, head = t.head) {
    setTable({ ...t, head })
    setProblem(t.error)
  }

  function ask(columns: ReadonlyMap<string, GivenColumn>, logs: string) {
    setGiven(columns)
    setLog(logs)
    setBusy(true)
    asked.current?.abort()
    const now = (asked.current = new AbortController())
    api.look(upload, reading(columns, logs), false, now.signal).then(
      (t) => {
        setBusy(false)
        show(t, table?.head)
      },
      (e: unknown) => {
        if (now.signal.aborted) return
        setBusy(false)
        if (e instanceof ApiError) setProblem(e.fault)
        else toastError(e)
      },
    )
  }

  // A table has one id, one label and one text: the column that had the role before decides for itself.
  function setRole(column: string, role: Role | '') {
    const next = new Map(given)
    if (role === 'id' || role === 'label' || role === 'text') {
      for (const [name, g] of next) if (g.role === role) next.set(name, { role: '' })
    }
    next.set(column, { role })
    ask(next, log)
  }

  // Rows are compared in one way, so that all columns whose settings were given have the same.
  function setSettings(column: string, role: Role, settings: ColumnSettings) {
    const next = new Map(given)
    for (const [name, g] of next) if (g.settings) next.set(name, { ...g, settings: { ...g.settings, scale: settings.scale } })
    next.set(column, { role, settings })
    ask(next, log)
  }

  function offer(o: Offer) {
    if (o.log) ask(given, o.log)
    else if (o.column && o.role) setRole(o.column, o.role)
  }

  return (
    <Dialog
      wide
      title={title}
      onClose={onClose}
      actions={
        <>
          <button type="button" class="button" onClick={onClose}>Cancel</button>
          <button
            type="button"
            class="button primary"
            data-first
            disabled={busy || !table || !!problem}
            onClick={() => {
              setBusy(true)
              void onDone(reading(given, log)).then((done) => (done ? onClose() : setBusy(false)))
            }}
          >
            {busy ? 'Reading…' : action(table?.rows ?? 0)}
          </button>
        </>
      }
    >
      <p>{words}</p>
      {table ? (
        <ColumnRoles table={table} given={given} problem={problem} busy={busy} onRole={setRole} onSettings={setSettings} onOffer={offer} />
      ) : (
        <p role="status"><span class="spinner" aria-hidden="true" /> Reading the columns…</p>
      )}
    </Dialog>
  )
}

export function groupWords(rows: number): string {
  return rows > 0 ? `Group ${count(rows, 'row')}` : 'Group these rows'
}
