// Two rows side by side, with the fields that differ marked.

import { useState } from 'preact/hooks'
import type { Pair, PairNeighbours, PointRef } from '../data/types'
import { server } from '../data/state'
import { figure } from '../data/words'
import { DifferingText } from './DifferingText'
import { GroupName } from './GroupName'
import { Picture } from './Picture'
import { comparedWords } from './textwords'

const few = 12

interface Props {
  pair: Pair
  a: PointRef
  b: PointRef
  blind?: boolean // hide the groups
}

export function PairView({ pair, a, b, blind = false }: Props) {
  const [all, setAll] = useState(false)
  const fields = [...(pair.fields ?? [])].sort((x, y) => Number(y.differs) - Number(x.differs))
  const shown = all ? fields : fields.slice(0, few)
  return (
    <div class="pair">
      {fields.length === 0 && (
        <div class="pairheads">
          {[a, b].map((r) => (
            <Head key={r.point} row={r} blind={blind} />
          ))}
        </div>
      )}
      {server.value?.pictures && (
        <div class="pairtexts">
          {[a, b].map((r) => (
            <div key={r.point} class="pairpicture"><Picture point={r.point} id={r.id} side={320} /></div>
          ))}
        </div>
      )}
      {pair.texts && (
        <>
          <div class="pairtexts">
            <p><span class="hiddentext">First text: </span><DifferingText text={pair.texts.a} other={pair.texts.b} /></p>
            <p><span class="hiddentext">Second text: </span><DifferingText text={pair.texts.b} other={pair.texts.a} /></p>
          </div>
          <TextKey {...pair.texts} />
        </>
      )}
      {pair.colours && (
        <div class="pairtexts">
          <Swatch rgb={pair.colours.a} />
          <Swatch rgb={pair.colours.b} />
        </div>
      )}
      {fields.length > 0 && (
        <table class="pairfields">
          <caption class="hiddentext">Fields of both rows; those that differ are marked</caption>
          <thead>
            <tr>
              <td />
              <th scope="col"><Head row={a} blind={blind} /></th>
              <th scope="col"><Head row={b} blind={blind} /></th>
            </tr>
          </thead>
          <tbody>
            {shown.map((f) => (
              <tr key={f.column} class={f.differs ? 'differs' : ''}>
                <th scope="row" title={f.column}>
                  {f.column}
                  {f.differs && <span class="differsmark" title="differs"> ≠<span class="hiddentext"> differs</span></span>}
                </th>
                <td title={f.a}>{f.a || '–'}</td>
                <td title={f.b}>{f.b || '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {fields.length > few && (
        <button type="button" class="plain small" onClick={() => setAll(!all)}>
          {all ? 'Show fewer fields' : `Show all ${fields.length} fields`}
        </button>
      )}
      {pair.neighbours && (
        <div class="pairtexts">
          <NeighbourList n={pair.neighbours.a} />
          <NeighbourList n={pair.neighbours.b} />
        </div>
      )}
      {pair.joined !== null && pair.joined !== undefined && (
        <p class="muted">{pair.joined === 0 ? 'No edge joins the two.' : `Joined with weight ${figure(pair.joined)}.`}</p>
      )}
    </div>
  )
}

function Head({ row, blind }: { row: PointRef; blind: boolean }) {
  return (
    <div class="pairhead">
      <span class="rowid" title={row.id}>{row.id}</span>
      {!blind && <GroupName name={row.cluster} />}
    </div>
  )
}

function TextKey({ a, b }: { a: string; b: string }) {
  const { how, marked } = comparedWords(a, b)
  if (how === 'shared') return <p class="muted small">{marked.size === 0 ? 'No distinctive words in common.' : 'Marked: words that both have.'}</p>
  return <p class="muted small">{a === b ? 'The texts are the same.' : 'Marked: words that only one of them has.'}</p>
}

function Swatch({ rgb }: { rgb: number[] }) {
  return <span class="swatch" style={{ backgroundColor: `rgb(${rgb.join(' ')})` }} role="img" aria-label={`Colour ${rgb.join(', ')}`} />
}

function NeighbourList({ n }: { n: PairNeighbours }) {
  return (
    <div>
      <p class="muted">
        {n.count} neighbours, {n.common} in common
      </p>
      <p class="terms">
        {(n.list ?? []).map((x) => (
          <span key={x.id} class={`term ${x.common ? 'common' : ''}`} title={x.common ? 'a neighbour of both' : undefined}>
            {x.common && <span aria-hidden="true">∩ </span>}
            {x.id}
          </span>
        ))}
      </p>
    </div>
  )
}
