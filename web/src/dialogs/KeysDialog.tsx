// All keys, and the switch that turns single keys off.

import { keysOn } from '../data/prefs'
import { bindings } from '../frame/bindings'
import { Dialog } from '../parts/Dialog'

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const sections = [...new Set(bindings.map((b) => b.section))]
  return (
    <Dialog title="Keys" wide onClose={onClose}>
      <label class="check">
        <input data-first type="checkbox" checked={keysOn.value} onChange={(e) => (keysOn.value = e.currentTarget.checked)} />
        <span>Single keys are on. Switch them off if they get in the way of speech input or of other tools; undo and redo stay.</span>
      </label>
      <div class={`keycolumns ${keysOn.value ? '' : 'off'}`}>
        {sections.map((s) => (
          <section key={s}>
            <h3>{s}</h3>
            <dl>
              {bindings.filter((b) => b.section === s).map((b) => (
                <div key={b.shown + b.words}>
                  <dt>{b.shown.split(' ').map((k) => <kbd key={k}>{k}</kbd>)}</dt>
                  <dd>{b.words}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
