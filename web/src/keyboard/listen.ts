// Listens to the keyboard.

import { keysOn } from '../data/prefs'
import { server } from '../data/state'
import { bindings, undoRedo } from './bindings'

function typing(e: KeyboardEvent): boolean {
  const t = e.target
  if (!(t instanceof HTMLElement)) return false
  if (t instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'range'].includes(t.type)
  return t instanceof HTMLTextAreaElement || t instanceof HTMLSelectElement || t.isContentEditable
}

export function listenToKeys(): void {
  document.addEventListener('keydown', (e) => {
    if (e.defaultPrevented || e.isComposing || !server.value) return
    if (document.querySelector('dialog[open]')) return
    if (typing(e)) return
    const change = undoRedo(e)
    if (change) {
      e.preventDefault()
      void change()
      return
    }
    if (e.ctrlKey || e.metaKey || e.altKey) return
    if (!keysOn.value && e.key !== 'Escape') return
    const b = bindings.find((b) => b.run && b.match?.(e) && (b.when?.() ?? true))
    if (!b) return
    if (e.repeat && b.section === 'Questions') return
    e.preventDefault()
    b.run!(e)
  })
}
