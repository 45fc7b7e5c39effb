// A text whose words that the other text lacks are marked.

import { useState } from 'preact/hooks'

const long = 420

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
}

export function DifferingText({ text, other }: { text: string; other: string }) {
  const [all, setAll] = useState(false)
  const shared = wordsOf(other)
  const cut = !all && text.length > long ? text.slice(0, long) : text
  const parts = cut.split(/([\p{L}\p{N}]+)/u)
  return (
    <>
      {parts.map((p, i) => (i % 2 === 1 && !shared.has(p.toLowerCase()) ? <mark key={i}>{p}</mark> : p))}
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
