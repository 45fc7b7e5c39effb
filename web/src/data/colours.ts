// Colours of clusters: the eight of Okabe and Ito, then the same hues darker and lighter.

type Rgb = [number, number, number]

const base: Rgb[] = [
  [0, 114, 178], // blue
  [230, 159, 0], // orange
  [0, 158, 115], // bluish green
  [204, 121, 167], // reddish purple
  [86, 180, 233], // sky blue
  [213, 94, 0], // vermilion
  [240, 228, 66], // yellow
  [0, 0, 0], // black; near white on a dark ground
]

const steps: [toward: number, share: number][] = [
  [0, 0],
  [0, 0.4],
  [255, 0.5],
  [0, 0.62],
  [255, 0.72],
]

function hex(c: Rgb): string {
  return '#' + c.map((v) => Math.round(v).toString(16).padStart(2, '0')).join('')
}

export function clusterColour(index: number, isDark: boolean): string {
  const hue = index % base.length
  const [toward, share] = steps[Math.floor(index / base.length) % steps.length]!
  let c = base[hue]!
  if (hue === 7) c = isDark ? [238, 238, 238] : [20, 20, 20]
  const end = hue === 7 && share > 0 ? 128 : toward
  return hex(c.map((v) => v + (end - v) * share) as Rgb)
}

// Black or white: whichever is easier to read on a colour.
export function inkOn(colour: string): string {
  const [r, g, b] = [1, 3, 5].map((i) => {
    const v = parseInt(colour.slice(i, i + 2), 16) / 255
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
  }) as Rgb
  const light = 0.2126 * r + 0.7152 * g + 0.0722 * b
  return light > 0.179 ? '#000000' : '#ffffff'
}
