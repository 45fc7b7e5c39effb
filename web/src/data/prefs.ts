// Choices of the person, kept in the browser.

import { computed, effect, signal, type Signal } from '@preact/signals'
import { keyShown, readKeymap, type Action } from './keys'

function kept<T extends string | boolean | number>(name: string, first: T): Signal<T> {
  const key = `inkling.${name}`
  let value = first
  try {
    const text = localStorage.getItem(key)
    if (text !== null) {
      const read: unknown = JSON.parse(text)
      if (typeof read === typeof first) value = read as T
    }
  } catch {
    // storage can be switched off: the choice then lasts as long as the page
  }
  const s = signal<T>(value)
  effect(() => {
    try {
      localStorage.setItem(key, JSON.stringify(s.value))
    } catch {
      // as above
    }
  })
  return s
}

export const theme = kept<string>('theme', 'auto')
export const keysOn = kept<boolean>('keys', true)
export const blind = kept<boolean>('blind', true)
export const outlined = kept<boolean>('outlines', false) // outlines of the groups on the plot

// The single keys, as they were changed.
export const keymapText = kept<string>('keymap', '')
export const keymap = computed(() => readKeymap(keymapText.value))
export const shownKey = (a: Action): string => keyShown(keymap.value[a])

export const rowsHeight = kept<string>('rows', 'normal')

const system = matchMedia('(prefers-color-scheme: dark)')
const systemDark = signal(system.matches)
system.addEventListener('change', (e) => (systemDark.value = e.matches))

export const dark = signal(false)

const phone = matchMedia('(max-width: 820px)')
export const narrow = signal(phone.matches)
phone.addEventListener('change', (e) => (narrow.value = e.matches))

effect(() => {
  const t = theme.value
  dark.value = t === 'dark' || (t !== 'light' && systemDark.value)
  if (t === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = t
})

export const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')
