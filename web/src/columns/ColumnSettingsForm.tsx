// How a column is read and how much it counts, beside its role: what its line in a plan of columns says.

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
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
  const set = (key: keyof ColumnSettings, value: string) => onChange({ ...settings, [key]: value })
  // What the file of a plan may say and the list does not have, such as since a date, stays as it is.
  const choice = (key: keyof ColumnSettings, known: [string, string][]) => (
    <select value={settings[key]} onChange={(e) => set(key, e.currentTarget.value)}>
      {known.map(([value, words]) => <option key={value} value={value}>{words}</option>)}
      {!known.some(([value]) => value === settings[key]) && <option value={settings[key]}>{settings[key]}</option>}
    </select>
  )
  const known = transforms[role]
  return (
    <fieldset class="columnsettings">
      <legend>Settings of “{name}”</legend>
      {known && <Field words="Counts">{choice('transform', known)}</Field>}
      {role === 'number' && <Field words="Unit"><Written value={settings.unit} hint="as it is written" onDone={(v) => set('unit', v)} /></Field>}
      <Field words="Missing values"><Written value={settings.missing} hint="such as none | 999" onDone={(v) => set('missing', v)} /></Field>
      <Field words="Weight"><Written value={settings.weight} hint="found out" onDone={(v) => set('weight', v)} /></Field>
      {role === 'number' && <Field words="Rows are compared">{choice('scale', scales)}</Field>}
    </fieldset>
  )
}

function Field({ words, children }: { words: string; children: ComponentChildren }) {
  return <label class="fieldlabel"><span>{words}</span>{children}</label>
}

// What is written counts once it is left or Enter is pressed; an answer that comes meanwhile leaves it alone.
function Written({ value, hint, onDone }: { value: string; hint: string; onDone: (value: string) => void }) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  function done() {
    if (text.trim() !== value) onDone(text.trim())
  }
  return <input type="text" value={text} placeholder={hint} onInput={(e) => setText(e.currentTarget.value)} onBlur={done} onKeyDown={(e) => { if (e.key === 'Enter') done() }} />
}
