// Binary columns of the server, little-endian.

export interface Places {
  x: Float32Array
  y: Float32Array
}

export interface Assigned {
  clusters: Uint8Array | Uint16Array
  flags: Uint8Array
  none: number // the value of unassigned points
}

export function readPlaces(b: ArrayBuffer): Places {
  const n = new DataView(b).getUint32(0, true)
  return { x: new Float32Array(b, 8, n), y: new Float32Array(b, 8 + 4 * n, n) }
}

export function readAssigned(b: ArrayBuffer): Assigned {
  const view = new DataView(b)
  const n = view.getUint32(0, true)
  const width = view.getUint32(4, true)
  const clusters = width === 1 ? new Uint8Array(b, 8, n) : new Uint16Array(b, 8, n)
  return { clusters, flags: new Uint8Array(b, 8 + width * n, n), none: width === 1 ? 0xff : 0xffff }
}

export function readColumn(b: ArrayBuffer): Float32Array {
  return new Float32Array(b, 8, new DataView(b).getUint32(0, true))
}

export function readEdges(b: ArrayBuffer): { a: Uint32Array; b: Uint32Array } {
  const m = new DataView(b).getUint32(0, true)
  return { a: new Uint32Array(b, 4, m), b: new Uint32Array(b, 4 + 4 * m, m) }
}
