// A mask as it comes from the server into colours to lay over the picture.

// tintMask makes pixels of no segment transparent and the others opaque. The mask has the colours of the
// segments, black for none; or grey values that are the numbers of segments, which get these colours.
export function tintMask(rgba: Uint8ClampedArray, colours: readonly [number, number, number][]): void {
  let numbers = true;
  for (let i = 0; i < rgba.length && numbers; i += 4) {
    numbers = rgba[i] <= colours.length && rgba[i] === rgba[i + 1] && rgba[i] === rgba[i + 2];
  }
  for (let i = 0; i < rgba.length; i += 4) {
    if (rgba[i + 3] === 0 || (rgba[i] === 0 && rgba[i + 1] === 0 && rgba[i + 2] === 0)) {
      rgba[i + 3] = 0;
      continue;
    }
    rgba[i + 3] = 255;
    if (!numbers) continue;
    const c = colours[rgba[i] - 1];
    rgba[i] = c[0];
    rgba[i + 1] = c[1];
    rgba[i + 2] = c[2];
  }
}
