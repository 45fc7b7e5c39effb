// What the colours and the opacity mean, in a line.

import { colourBy, server } from '../data/state'

export function ColourKey() {
  const how = colourBy.value
  return (
    <p class="colourkey">
      {how === 'confidence' ? (
        <>
          <span class="ramp" aria-hidden="true" /> low to high confidence
        </>
      ) : how === 'label' ? (
        'Labelled rows in colour, the others in grey'
      ) : (
        'Paler points are less certain'
      )}
      {server.value?.kind === 'table' && <span class="muted"> · distances here are approximate</span>}
    </p>
  )
}
