// A text beside another one: words that only this one has are marked, or, where the two have little in common, the words
// that both have.

import { useState } from 'preact/hooks'
import { comparedWords } from './textwords'

const long = 420

export function DifferingText({ text, other }: { text: string; other: string }) {
  const [all, setAll] = useState(false)
  const { how, marked } = comparedWords(text, other)
  const cut = !all && text.length > long ? text.slice(0, long) : text
  const parts = cut.split(/([\p{L}\p{N}]+)/u)
  return (
    <>
      {parts.map((p, i) => (i % 2 === 1 && marked.has(p.toLowerCase()) ? <mark key={i} class={how}>{p}</mark> : p))}
      {text.length > long && (
        <>
          {all ? ' ' : '… '}
          <button type="button" class="plain small" onClick={() => setAll(!all)}>
            {all ? 'less' : 'more'}
          </button>
        </>
      )}
    </>
  )
}
