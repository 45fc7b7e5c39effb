// The method, the number of groups, effort and seed.

import { useState } from 'preact/hooks'
import { api } from '../data/api'
import { personName, rename } from '../data/person'
import { server } from '../data/state'
import { toast, toastError } from '../data/toasts'
import { sentence } from '../data/words'
import { Dialog } from '../parts/Dialog'

export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const s = server.value!
  const now = s.settings ?? {}
  const [method, setMethod] = useState(now.method || 'auto')
  const [first] = useState<'fixed' | 'range' | 'auto'>(now.kMin || now.kMax ? 'range' : now.k && now.kFixed !== false ? 'fixed' : 'auto')
  const [how, setHow] = useState(first)
  const [k, setK] = useState(String(now.k || s.fit?.k || 3))
  const [kMin, setKMin] = useState(String(now.kMin || 2))
  const [kMax, setKMax] = useState(String(now.kMax || 12))
  const [effort, setEffort] = useState(now.effort || 'normal')
  const [seed, setSeed] = useState(String(now.seed ?? 1))
  const [auto, setAuto] = useState(s.auto !== false)
  const [name, setName] = useState(personName.value)
  const methods = s.methods ?? []

  function save(e: Event) {
    e.preventDefault()
    // Only what was changed: a number of groups that was chosen by the program stays free.
    const body: Record<string, unknown> = {}
    if (method !== (now.method || 'auto')) body.method = method
    if (effort !== (now.effort || 'normal')) body.effort = effort
    if (Number(seed) !== (now.seed ?? 1)) body.seed = Number(seed)
    if (how === 'fixed' && (how !== first || Number(k) !== now.k)) body.k = Number(k)
    if (how === 'range') Object.assign(body, { kMin: Number(kMin), kMax: Number(kMax) })
    if (how === 'auto' && how !== first) body.k = 0
    onClose()
    const onlyName = Object.keys(body).length === 0 && name.trim() !== personName.value
    rename(name)
    const jobs: Promise<unknown>[] = onlyName ? [] : [api.fit(body)]
    if (auto !== (s.auto !== false)) jobs.push(api.auto(auto))
    Promise.all(jobs).then(() => jobs.length > 0 && toast('Fitting with the new settings'), toastError)
  }
  return (
    <Dialog
      title="Settings"
      onClose={onClose}
      actions={
        <>
          <button type="button" class="button" onClick={onClose}>Cancel</button>
          <button type="submit" form="settingsform" class="button primary">Fit</button>
        </>
      }
    >
      <form id="settingsform" class="form" onSubmit={save}>
        <label class="fieldlabel">
          Method
          <select data-first value={method} onChange={(e) => setMethod(e.currentTarget.value)}>
            {!methods.some((m) => m.name === 'auto') && <option value="auto">auto: chosen for your data</option>}
            {methods.map((m) => <option key={m.name} value={m.name}>{m.title && m.title !== m.name ? `${m.name}: ${m.title}` : m.name}</option>)}
          </select>
        </label>
        <fieldset>
          <legend>Number of groups</legend>
          <label class="radioline"><input type="radio" name="how" checked={how === 'auto'} onChange={() => setHow('auto')} /> Choose for me</label>
          {s.fit?.number && <p class="muted small">{sentence(s.fit.number)}</p>}
          <label class="radioline"><input type="radio" name="how" checked={how === 'fixed'} onChange={() => setHow('fixed')} /> Exactly
            <input type="number" min={1} max={1000} aria-label="Number of groups" value={k} onFocus={() => setHow('fixed')} onInput={(e) => setK(e.currentTarget.value)} /></label>
          <label class="radioline"><input type="radio" name="how" checked={how === 'range'} onChange={() => setHow('range')} /> From
            <input type="number" min={1} max={1000} aria-label="Fewest groups" value={kMin} onFocus={() => setHow('range')} onInput={(e) => setKMin(e.currentTarget.value)} /> to
            <input type="number" min={1} max={1000} aria-label="Most groups" value={kMax} onFocus={() => setHow('range')} onInput={(e) => setKMax(e.currentTarget.value)} /></label>
        </fieldset>
        <div class="formrow">
          <label class="fieldlabel">
            Effort
            <select value={effort} onChange={(e) => setEffort(e.currentTarget.value)}>
              {[...new Set(['low', 'normal', 'high', effort])].map((x) => <option key={x} value={x}>{x}</option>)}
            </select>
          </label>
          <label class="fieldlabel">
            Seed
            <input type="number" min={0} step={1} value={seed} onInput={(e) => setSeed(e.currentTarget.value)} />
          </label>
        </div>
        <label class="check"><input type="checkbox" checked={auto} onChange={(e) => setAuto(e.currentTarget.checked)} /> <span>Fit again after every change</span></label>
        <label class="fieldlabel">
          Your name, if several people answer
          <input type="text" maxLength={60} autocomplete="name" value={name} onInput={(e) => setName(e.currentTarget.value)} />
        </label>
      </form>
    </Dialog>
  )
}
