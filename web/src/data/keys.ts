// The shortcuts of the page, single keys. Each can be changed, and stays changed in this browser.

export const firstKeys = {
  keys: '?', questions: 'q', groups: 'g', rows: 'r', search: '/', history: 'h', violations: 'v',
  same: 's', different: 'd', unsure: 'u', skip: 'Space', back: 'b', why: 'w',
  label: 'l', must: 'm', cannot: 'x', everything: 'f', outlines: 'o', erase: 'e',
}

export type Action = keyof typeof firstKeys
export type Keymap = Record<Action, string>

export const actionWords: Record<Action, string> = {
  keys: 'show the shortcuts', questions: 'answer questions', groups: 'groups', rows: 'rows', search: 'search', history: 'history', violations: 'violations',
  same: 'same group', different: 'different groups', unsure: 'unsure', skip: 'skip', back: 'go back to the last answer', why: 'show why a question is asked',
  label: 'label the selection', must: 'must-link two selected rows', cannot: 'cannot-link two selected rows', everything: 'show everything', outlines: 'outline the groups', erase: 'erase',
}

const actions = Object.keys(firstKeys) as Action[]

// What a key is called in a keymap; '' for keys that are pressed with others.
export function keyName(e: { key: string; shiftKey: boolean }): string {
  if (e.key === ' ') return 'Space'
  const low = e.key.toLowerCase()
  if (low !== e.key.toUpperCase()) return e.key.length === 1 && e.shiftKey ? '' : e.key.length === 1 ? low : e.key
  return e.key
}

// A key as it is shown to people.
export function keyShown(key: string): string {
  return key.length === 1 ? key.toUpperCase() : key
}

// Reads a keymap that was kept; what it does not say, or says wrongly, has the first key.
export function readKeymap(text: string): Keymap {
  let map: Keymap = { ...firstKeys }
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return map
  }
  if (typeof read !== 'object' || read === null) return map
  for (const a of actions) {
    const key = (read as Record<string, unknown>)[a]
    if (typeof key === 'string') map = { ...map, [a]: key }
  }
  const keys = actions.map((a) => map[a])
  const wrong = new Set(keys).size < keys.length || actions.some((a) => map[a] !== firstKeys[a] && refusedKey(map[a]) !== null)
  return wrong ? { ...firstKeys } : map
}

// Why a key cannot be chosen for anything; null: it can.
function refusedKey(key: string): string | null {
  if (/^[0-9]$/.test(key)) return `${key} selects the label of the brush on images.`
  if (['+', '-', '=', '[', ']'].includes(key)) return `${key} zooms or changes the size of the brush.`
  if (key === '') return 'Choose a key without Shift.'
  if (key === 'Space') return 'Space selects rows and presses buttons; as a shortcut it can only be the one that skips questions.'
  if ([...key].length !== 1) return `${key} is used by browsers. Choose a letter or a symbol.`
  return null
}

// The keymap with another key for an action, or words that say why not.
export function withKey(map: Keymap, action: Action, key: string): Keymap | string {
  if (key === map[action]) return map
  const refused = key === firstKeys[action] ? null : refusedKey(key)
  if (refused) return refused
  const taken = actions.find((a) => a !== action && map[a] === key)
  if (taken) return `${keyShown(key)} is already the shortcut for “${actionWords[taken]}”. Change that one first, or choose another key.`
  return { ...map, [action]: key }
}
