// The picture that a row is, in a small copy.

import { useState } from 'preact/hooks'
import { dataKey } from '../data/state'

interface Props {
  point: number
  id: string
  side?: number // of the copy, at most
  bare?: boolean // its name stands beside it
}

export function Picture({ point, id, side = 160, bare = false }: Props) {
  const [lost, setLost] = useState(false)
  if (lost) return <span class="nopicture">{bare ? 'no longer there' : id}</span>
  return (
    <img
      class="rowpicture"
      src={`./api/picture?p=${point}&max=${side}&of=${encodeURIComponent(dataKey.value)}`}
      alt={bare ? '' : id}
      loading="lazy"
      decoding="async"
      onError={() => setLost(true)}
    />
  )
}
