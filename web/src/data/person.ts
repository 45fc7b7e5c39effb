// Who answers: a name, or one that is made up. It is kept in a cookie, which every request carries and which does not
// depend on the port of the program.

import { signal } from '@preact/signals'

const cookie = 'inkling-person'
const unnamed = '~'

function read(): string {
  const found = document.cookie.split('; ').find((c) => c.startsWith(`${cookie}=`))
  try {
    return found ? decodeURIComponent(found.slice(cookie.length + 1)) : ''
  } catch {
    return ''
  }
}

// A name that somebody gave stays for a year; one that was made up ends with the browser, as the page's own cookie does.
function write(value: string): void {
  const stays = value.startsWith(unnamed) ? '' : '; max-age=31536000'
  document.cookie = `${cookie}=${encodeURIComponent(value)}; path=/${stays}; SameSite=Strict`
}

export const personName = signal('')

// Makes sure that requests say who sends them.
export function startPerson(): void {
  const now = read()
  if (!now) write(unnamed + Math.random().toString(36).slice(2, 8))
  personName.value = now.startsWith(unnamed) ? '' : now
}

export function rename(name: string): void {
  const next = name.trim()
  if (next === personName.peek()) return
  write(next || unnamed + Math.random().toString(36).slice(2, 8))
  personName.value = next
}

// A person as the history has them.
export function shownPerson(who: string): string {
  return who.startsWith(unnamed) ? `person ${who.slice(1)}` : who
}
