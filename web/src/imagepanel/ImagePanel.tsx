// The centre for images: paint strokes, and the mask follows.

import { server } from '../data/state'
import { count } from '../data/words'
import { ImageTools } from './ImageTools'
import { PictureCanvas } from './PictureCanvas'

export function ImagePanel() {
  const s = server.value!
  const image = s.image!
  return (
    <section class="panel plotpanel" aria-label="Image">
      <ImageTools />
      <div class="plotarea">
        <PictureCanvas />
        <p class="hiddentext">
          {`Image of ${image.width} by ${image.height} pixels with ${count(image.strokes, 'stroke')}. ${image.mask > 0 ? 'The mask is shown on top of it.' : 'There is no mask yet.'}`}
        </p>
        {image.strokes === 0 && <p class="imagehint">Paint a stroke with label 1 on the object, then one with label 2 on the background.</p>}
      </div>
    </section>
  )
}
