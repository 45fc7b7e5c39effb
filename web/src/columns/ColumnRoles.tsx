// The first rows of a table with what each column is for: a click changes a role, and the program says at once how it would
// read the column then.

import { useId, useState } from 'preact/hooks'
import type { ColumnPlan, ColumnSettings, ColumnTable, Fault, GivenColumn, Offer, Role } from '../data/types'
import { count, sentence } from '../data/words'
import { Icon } from '../parts/Icon'
import { ColumnSettingsForm, hasSettings } from './ColumnSettingsForm'

export const roleWords: Record<Role, string> = {
  number: 'number',
  category: 'category',
  date: 'date',
  text: 'text',
  id: 'id',
  label: 'known label',
  describe: 'describes groups',
  drop: 'leave out',
}

const roles = Object.keys(roleWords) as Role[]

interface Props {
  table: ColumnTable
  given: ReadonlyMap<string, GivenColumn> // what the person chose in this dialog
  problem: Fault | null
  busy: boolean
  onRole: (column: string, role: Role | '') => void
  onSettings: (column: string, role: Role, settings: ColumnSettings) => void
  onOffer: (o: Offer) => void
}

export function ColumnRoles({ table, given, problem, busy, onRole, onSettings, onOffer }: Props) {
  const columns = table.columns ?? [], form = useId()
  const compared = columns.filter((c) => ['number', 'category', 'date', 'text'].includes(c.role)).length
  const [open, setOpen] = useState('') // the column whose settings are shown
  const roleOf = (c: ColumnPlan) => given.get(c.name)?.role || c.role
  const shown = columns.find((c) => c.name === open && hasSettings(roleOf(c)))
  const at = new Map((table.head.columns ?? []).map((name, i) => [name, i]))
  return (
    <>
      {problem && (
        <p class="problem" role="alert">
          <Icon name="warn" /> <span>{sentence(problem.message)} {problem.hint ? sentence(problem.hint) : ''}</span>
        </p>
      )}
      <div id={form}>
        {shown && (
          <ColumnSettingsForm
            key={shown.name}
            name={shown.name}
            role={roleOf(shown)}
            settings={given.get(shown.name)?.settings ?? shown.settings}
            onChange={(settings) => onSettings(shown.name, roleOf(shown), settings)}
          />
        )}
      </div>
      <div class={`tablescroll preview ${busy ? 'busy' : ''}`} tabIndex={0} role="region" aria-label="First rows" aria-busy={busy}>
        <table>
          <thead>
            <tr>{columns.map((c) => <th key={c.name} scope="col">{c.name}</th>)}</tr>
            <tr>
              {columns.map((c) => (
                <td key={c.name}>
                  <RoleSelect column={c} chosen={given.get(c.name)?.role} open={!!table.error} onRole={onRole} />
                  {hasSettings(roleOf(c)) && (
                    <button type="button" class="plain offer" aria-label={`Settings of ${c.name}`} aria-expanded={shown === c} aria-controls={form} onClick={() => setOpen(shown === c ? '' : c.name)}>
                      Settings
                    </button>
                  )}
                </td>
              ))}
            </tr>
            <tr>
              {columns.map((c) => (
                <td key={c.name} class="readas">
                  <span title={c.why}>{c.why}</span>
                  {offersOf(c, compared).map((o) => (
                    <button key={o.text} type="button" class="plain offer" onClick={() => onOffer(o)}>{short(o, c.name)}</button>
                  ))}
                </td>
              ))}
            </tr>
          </thead>
          <tbody>
            {(table.head.rows ?? []).map((r, i) => (
              <tr key={i}>
                {columns.map((c) => {
                  const cell = r[at.get(c.name) ?? -1] ?? ''
                  return <td key={c.name} class={c.role === 'drop' ? 'off' : c.role === 'describe' ? 'faint' : ''} title={cell}>{cell}</td>
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {table.more > 0 && <p class="muted">{`${count(table.more, 'more column')} ${table.more === 1 ? 'is not listed; its role is' : 'are not listed; their roles are'} chosen for you.`}</p>}
    </>
  )
}

// A column decides for itself until a person gives it a role. Where the table cannot be read that way, nothing is said about what it decides.
function RoleSelect({ column, chosen, open, onRole }: { column: ColumnPlan; chosen: Role | '' | undefined; open: boolean; onRole: (column: string, role: Role | '') => void }) {
  const own = chosen !== undefined ? chosen !== '' : column.given
  return (
    <select aria-label={`Role of ${column.name}`} class={own ? 'given' : ''} value={chosen || (open && !own ? '' : column.role)} onChange={(e) => onRole(column.name, e.currentTarget.value as Role | '')}>
      {roles.map((r) => (
        <option key={r} value={r}>{roleWords[r]}</option>
      ))}
      {(own || open) && <option value="">choose for me</option>}
    </select>
  )
}

// The only column by which rows are compared is not offered to be left out.
function offersOf(c: ColumnPlan, compared: number): Offer[] {
  return (c.offers ?? []).filter((o) => o.role !== 'drop' || compared > 1).slice(0, 2)
}

// Below its own column a button need not name it.
function short(o: Offer, column: string): string {
  return o.column === column && o.role ? `Change to: ${roleWords[o.role]}` : o.text
}
