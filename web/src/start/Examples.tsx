// Built-in data to play with.

import { useState } from 'preact/hooks'
import { api } from '../data/api'
import { toastError } from '../data/toasts'
import { capital, count } from '../data/words'
import type { Example } from '../data/types'

const things: Record<string, string> = { graph: 'node', image: 'pixel', text: 'text' }

export function Examples({ examples }: { examples: Example[] }) {
  const [opening, setOpening] = useState<string | null>(null)
  if (examples.length === 0) return null
  return (
    <section aria-labelledby="examples-title">
      <h2 id="examples-title">Or try an example</h2>
      <ul class="examples">
        {examples.map((x) => (
          <li key={x.name}>
            <button
              type="button"
              disabled={opening !== null}
              aria-busy={opening === x.name}
              onClick={() => {
                setOpening(x.name)
                api.open(x.name).catch(toastError).finally(() => setOpening(null))
              }}
            >
              <strong>{x.name}</strong>
              <span>{capital(x.title)}</span>
              <span class="muted">{opening === x.name ? 'Opening…' : `${count(x.rows, things[x.kind] ?? 'row')}${x.kind && x.kind !== 'table' ? ` · ${x.kind}` : ''}`}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
