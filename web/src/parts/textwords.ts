// Which words of a text to mark beside another text.

export interface MarkedWords {
  how: 'differing' | 'shared'
  marked: Set<string> // in lower case
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
}

// Both directions give the same answer to "how", since it depends on the pair only.
export function comparedWords(text: string, other: string): MarkedWords {
  const a = wordsOf(text)
  const b = wordsOf(other)
  const shared = [...a].filter((w) => b.has(w))
  if (shared.length * 2 >= Math.min(a.size, b.size)) return { how: 'differing', marked: new Set([...a].filter((w) => !b.has(w))) }
  return { how: 'shared', marked: new Set(shared.filter((w) => w.length > 3)) }
}
