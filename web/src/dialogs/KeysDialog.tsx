// All keys, another key for each action, and the switch that turns single keys off.

import { useState } from 'preact/hooks'
import { actionWords, firstKeys, keyName, keyShown, withKey, type Action } from '../data/keys'
import { keymap, keymapText, keysOn } from '../data/prefs'
import { bindings, type Binding } from '../keyboard/bindings'
import { Dialog } from '../parts/Dialog'

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const [asked, setAsked] = useState<Action | null>(null) // waits for its new key
  const [words, setWords] = useState('')
  const sections = [...new Set(bindings.map((b) => b.section))]
  const changed = (Object.keys(firstKeys) as Action[]).some((a) => keymap.value[a] !== firstKeys[a])

  const pressed = (e: KeyboardEvent, action: Action) => {
    if (asked !== action || e.ctrlKey || e.metaKey || e.altKey || e.key === 'Shift' || e.key === 'Tab') return
    e.preventDefault()
    e.stopPropagation()
    if (e.key === 'Escape') {
      setAsked(null)
      setWords('')
      return
    }
    const next = withKey(keymap.value, action, keyName(e))
    if (typeof next === 'string') {
      setWords(next)
      return
    }
    keymapText.value = JSON.stringify(next)
    setAsked(null)
    setWords(`${keyShown(next[action])} is the key of “${actionWords[action]}” now.`)
  }

  const keyOf = (b: Binding) => {
    const action = b.action
    if (!action) return b.shown.split(' ').map((k) => <kbd key={k}>{k}</kbd>)
    const waits = asked === action
    return (
      <button
        type="button"
        class={`keybutton ${waits ? 'waits' : ''}`}
        data-action={action}
        aria-label={waits ? `Press the new key of: ${b.words}` : `Change the key of: ${b.words}, now ${b.shown}`}
        title={waits ? 'Press a key; Escape keeps the old one' : 'Change this key'}
        onClick={() => {
          setAsked(waits ? null : action)
          setWords('')
        }}
        onKeyDown={(e) => pressed(e, action)}
        onBlur={() => waits && setAsked(null)}
      >
        <kbd>{waits ? '…' : b.shown}</kbd>
      </button>
    )
  }

  return (
    <Dialog title="Keys" wide onClose={() => (asked ? setAsked(null) : onClose())}>
      <label class="check">
        <input data-first type="checkbox" checked={keysOn.value} onChange={(e) => (keysOn.value = e.currentTarget.checked)} />
        <span>Single keys are on. Switch them off if they get in the way of speech input or of other tools; undo and redo stay.</span>
      </label>
      <p class="keyhint">
        <span class={words || asked ? 'keyanswer' : ''} role="status">
          {words || (asked ? `Press the new key of “${actionWords[asked]}”, or Escape to keep ${keyShown(keymap.value[asked])}.` : 'Press a framed key here and then another one to change it. This browser remembers your keys.')}
        </span>
        {changed && (
          <button
            type="button"
            class="button small"
            onClick={() => {
              keymapText.value = ''
              setWords('All keys are as at first.')
            }}
          >
            Reset shortcuts
          </button>
        )}
      </p>
      <div class={`keycolumns ${keysOn.value ? '' : 'off'}`}>
        {sections.map((s) => (
          <section key={s}>
            <h3>{s}</h3>
            <dl>
              {bindings.filter((b) => b.section === s).map((b) => (
                <div key={b.words}>
                  <dt>{keyOf(b)}</dt>
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
