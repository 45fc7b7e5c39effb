// What the colours and the opacity mean, in a line.

import { colours } from '../data/palette'
import { dark } from '../data/prefs'
import { colourBy, layout, server } from '../data/state'
import { columnLevels, columnRange, groupsHidden } from './view'

export function ColourKey() {
  const how = colourBy.value
  return (
    <p class="colourkey">
      {groupsHidden.value ? (
        'Groups are hidden while you answer'
      ) : how.startsWith('column:') ? (
        <Scale title={how.slice('column:'.length)} />
      ) : how === 'confidence' ? (
        <>
          low <span class={dark.value ? 'ramp dark' : 'ramp'} aria-hidden="true" /> high confidence
        </>
      ) : how === 'label' ? (
        'Labelled rows in colour, the others in grey'
      ) : (
        'Paler is less certain'
      )}
      {server.value?.kind === 'table' && <span class="muted"> · {server.value.places?.settling && layout.value === 'neighbours' ? 'points are settling' : layout.value === 'neighbours' ? 'far distances mean little' : 'distances are approximate'}</span>}
    </p>
  )
}

function Scale({ title }: { title: string }) {
  const ends = columnRange.value
  const levels = columnLevels.value
  if (levels) {
    return (
      <>
        {title}:{' '}
        {levels.slice(0, Math.min(8, colours.value.length)).map((l, i) => (
          <span key={l} class="levelkey"><span style={{ backgroundColor: colours.value[i] }} aria-hidden="true" /> {l} </span>
        ))}
      </>
    )
  }
  return (
    <>
      {title}: {ends ? rounded(ends.low) : 'low'} <span class={dark.value ? 'ramp dark' : 'ramp'} aria-hidden="true" /> {ends ? rounded(ends.high) : 'high'}
    </>
  )
}

function rounded(v: number): string {
  return String(Number(v.toPrecision(3)))
}
