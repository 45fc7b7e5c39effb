// How a column is read and how much it counts, beside its role: what its line in a plan of columns says.

import type { ComponentChildren } from 'preact'
import type { ColumnSettings, Role } from '../data/types'

export function hasSettings(role: Role): boolean {
  return role === 'number' || role === 'category' || role === 'date'
}

const transforms: Partial<Record<Role, [string, string][]>> = {
  number: [['', 'as it is'], ['log', 'its logarithm']],
  category: [['', 'one value a cell'], ['list', 'a list of values a cell'], ['presence', 'whether it has a value']],
}

const scales: [string, string][] = [
  ['', 'by their values'],
  ['rows', 'by their shape'],
  ['detrend', 'by their shape, without a trend'],
  ['shares', 'by the share of each value'],
  ['l2', 'by their direction'],
]

interface Props {
  name: string
  role: Role
  settings: ColumnSettings
  onChange: (s: ColumnSettings) => void
}

export function ColumnSettingsForm({ name, role, settings, onChange }: Props) {
  const field = (key: keyof ColumnSettings) => ({
    value: settings[key],
    onChange: (e: { currentTarget: { value: string } }) => onChange({ ...settings, [key]: e.currentTarget.value.trim() }),
  })
  // What the file of a plan may say and the list does not have, such as since a date, stays as it is.
  const choice = (key: keyof ColumnSettings, known: [string, string][]) => (
    <select {...field(key)}>
      {known.map(([value, words]) => <option key={value} value={value}>{words}</option>)}
      {!known.some(([value]) => value === settings[key]) && <option value={settings[key]}>{settings[key]}</option>}
    </select>
  )
  const known = transforms[role]
  return (
    <fieldset class="columnsettings">
      <legend>Settings of “{name}”</legend>
      {known && <Field words="Counts">{choice('transform', known)}</Field>}
      {role === 'number' && <Field words="Unit"><input {...field('unit')} type="text" placeholder="as it is written" /></Field>}
      <Field words="Missing values"><input {...field('missing')} type="text" placeholder="such as none | 999" /></Field>
      <Field words="Weight"><input {...field('weight')} type="number" min="0" step="any" inputMode="decimal" /></Field>
      {role === 'number' && <Field words="Rows are compared">{choice('scale', scales)}</Field>}
    </fieldset>
  )
}

function Field({ words, children }: { words: string; children: ComponentChildren }) {
  return <label class="fieldlabel"><span>{words}</span>{children}</label>
}
