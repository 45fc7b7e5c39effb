// How many rows went from each group to each group. Darker cells hold a larger share of their row.

import { groupTitle } from '../data/state'
import { number } from '../data/words'

export function Contingency({ table }: { table: { rows: string[]; columns: string[]; counts: number[][] } }) {
  return (
    <div class="tablescroll" tabIndex={0} role="region" aria-label="Table of counts">
      <table class="contingency">
        <caption>Rows by group before (down) and after (across)</caption>
        <thead>
          <tr>
            <td />
            {table.columns.map((c, i) => (
              <th key={i} scope="col" title={c}><span>{groupTitle(c)}</span></th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((r, i) => {
            const counts = table.counts[i] ?? []
            const total = counts.reduce((a, b) => a + b, 0) || 1
            return (
              <tr key={i}>
                <th scope="row" title={r}><span>{groupTitle(r)}</span></th>
                {counts.map((n, j) => (
                  <td key={j} class={n === 0 ? 'zero' : n / total > 0.6 ? 'strong' : ''} style={{ '--share': String(n / total) }}>{n === 0 ? '·' : number(n)}</td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
