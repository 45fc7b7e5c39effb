// Search in all cells; matches are also marked on the plot.

import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../data/api'
import { select } from '../data/actions'
import { dataKey, searchHits, searchText } from '../data/state'
import { toastError } from '../data/toasts'
import { number } from '../data/words'
import { Icon } from '../parts/Icon'

export function RowSearch() {
  const [text, setText] = useState(searchText.value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const load = useRef<AbortController | null>(null)
  useEffect(() => {
    setText('')
    searchText.value = ''
    searchHits.value = null
  }, [dataKey.value])
  function change(t: string) {
    setText(t)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => search(t.trim()), t ? 180 : 0)
  }
  function search(q: string) {
    searchText.value = q
    load.current?.abort()
    if (!q) {
      searchHits.value = null
      return
    }
    load.current = new AbortController()
    api.search(q, load.current.signal).then((r) => (searchHits.value = Uint32Array.from(r.points ?? [])), toastError)
  }
  const hits = searchHits.value
  return (
    <>
      <label class="searchbox">
        <Icon name="search" size={14} />
        <span class="hiddentext">Search rows</span>
        <input
          id="search"
          type="search"
          placeholder="Search"
          title="Search rows (/)"
          value={text}
          onInput={(e) => change(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key === 'Escape' && text) {
              e.stopPropagation()
              change('')
            }
            if (e.key === 'Enter' || e.key === 'ArrowDown') {
              e.preventDefault()
              document.getElementById('rowgrid')?.focus()
            }
          }}
        />
      </label>
      {hits && hits.length > 0 && (
        <button type="button" class="plain small" onClick={() => select(hits)}>Select {number(hits.length)}</button>
      )}
    </>
  )
}
