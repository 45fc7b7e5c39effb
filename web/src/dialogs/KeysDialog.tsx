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
    setWords(`${keyShown(next[action])} is now the shortcut for “${actionWords[action]}”.`)
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
        aria-label={waits ? `Press the new key for: ${b.words}` : `Change the key for: ${b.words}, now ${b.shown}`}
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
    <Dialog title="Keyboard shortcuts" wide onClose={() => (asked ? setAsked(null) : onClose())}>
      <label class="check">
        <input data-first type="checkbox" checked={keysOn.value} onChange={(e) => (keysOn.value = e.currentTarget.checked)} />
        <span>Use single-key shortcuts. Turn them off if they interfere with speech input or other tools; undo and redo keep their keys.</span>
      </label>
      <p class="keyhint">
        <span class={words || asked ? 'keyanswer' : ''} role="status">
          {words || (asked ? `Press the new key for “${actionWords[asked]}”, or Escape to keep ${keyShown(keymap.value[asked])}.` : 'To change a shortcut, press its framed key here, then the new key. This browser remembers your shortcuts.')}
        </span>
        {changed && (
          <button
            type="button"
            class="button small"
            onClick={() => {
              keymapText.value = ''
              setWords('All shortcuts are reset.')
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
