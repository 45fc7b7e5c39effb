// Choose the group that another one is merged with: the way without dragging.

import { mergeGroups } from '../data/actions'
import { clusters, groupTitle } from '../data/state'
import { number } from '../data/words'
import { Chip } from '../parts/Chip'
import { Dialog } from '../parts/Dialog'

export function MergeDialog({ cluster, onClose }: { cluster: string; onClose: () => void }) {
  const others = clusters.value.filter((c) => c.name !== cluster && c.size > 0)
  return (
    <Dialog title={`Merge “${groupTitle(cluster)}” with`} onClose={onClose}>
      <ul class="picks">
        {others.map((c, i) => (
          <li key={c.index}>
            <button
              type="button"
              {...(i === 0 ? { 'data-first': true } : {})}
              onClick={() => {
                onClose()
                void mergeGroups(cluster, c.name)
              }}
            >
              <Chip index={c.index} />
              <span class="ellipsis">{groupTitle(c.name)}</span>
              <span class="num muted">{number(c.size)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p class="muted">Typical rows of both groups are linked, so that they stay together in later fits.</p>
    </Dialog>
  )
}
