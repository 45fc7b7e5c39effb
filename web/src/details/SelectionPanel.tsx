// Details of what is selected: a point, a pair, or many.

import { selection } from '../data/state'
import { Empty } from '../parts/Empty'
import { Facets } from '../facets/Facets'
import { ManyDetails } from './ManyDetails'
import { PairDetails } from './PairDetails'
import { PointDetails } from './PointDetails'

export function SelectionPanel() {
  const s = selection.value
  if (!s) {
    return (
      <div class="details">
        <Empty title="Nothing is selected">
          <p>Click a point or a row to see it with its true neighbours. Select two to see why they are together or apart, or many to label them at once.</p>
        </Empty>
        <Facets />
      </div>
    )
  }
  if (s.length === 1) return <PointDetails point={s[0]!} />
  if (s.length === 2) return <PairDetails a={s[0]!} b={s[1]!} />
  return <ManyDetails points={s} />
}
