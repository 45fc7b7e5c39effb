// The pictures of a group, the surest first.

import { useState } from 'preact/hooks'
import { api } from '../data/api'
import { useLoaded } from '../data/loaded'
import { fit } from '../data/state'
import { number } from '../data/words'
import { openPoint } from '../details/open'
import { Picture } from '../parts/Picture'

const step = 24

export function PictureGrid({ cluster, title }: { cluster: string; title: string }) {
  const [shown, setShown] = useState(step)
  const got = useLoaded(`${cluster}|${shown}|${fit.value?.n}|${fit.value?.sure}`, (stop) => api.rows({ offset: 0, limit: shown, cluster, sort: 'confidence', desc: true }, stop))
  const page = got.value
  if (!page) return got.error ? <p class="muted">{got.error}</p> : null
  return (
    <>
      <h3>Pictures</h3>
      <ul class="picturegrid" aria-label={`Pictures of ${title}`}>
        {page.rows.map((r) => (
          <li key={r.point}>
            <button type="button" title={r.id} onClick={() => openPoint(r.point)}>
              <Picture point={r.point} id={r.id} />
            </button>
          </li>
        ))}
      </ul>
      {page.total > page.rows.length && (
        <button type="button" class="plain small" onClick={() => setShown(Math.min(shown + step, 480))}>
          Show more of {number(page.total)}
        </button>
      )}
    </>
  )
}
