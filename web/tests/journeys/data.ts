// Data that the journeys begin with, made from a seed: the same bytes each time.

import { deflateSync } from 'node:zlib';

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

function normal(random: () => number): number {
  let s = -6;
  for (let i = 0; i < 12; i++) s += random();
  return s;
}

export const segments = ['Budget', 'Premium', 'Family', 'Student', 'Senior', 'Business'];

// customers have an id that tells the segment they were made from: c3-00017 is of segment 3. Known
// are the segments of the first known of them, which are wrong in these rows.
export function customers(n: number, known: number, wrong = [5]): string {
  const random = randomFrom(11), names = ['spend', 'visits', 'age', 'basket', 'returns', 'tenure', 'discount', 'night', 'weekend', 'online', 'mail', 'calls',
    'distance', 'family', 'travel', 'games', 'books', 'food'];
  const centres = segments.map(() => names.map(() => 3 * normal(random)));
  const lines = [['customer_id', 'segment', 'region', ...names].join(',')];
  for (let i = 0; i < n; i++) {
    const h = i % segments.length;
    const given = i >= known ? '' : wrong.includes(i) ? segments[(h + 1) % segments.length] : segments[h];
    lines.push([`c${h}-${String(i).padStart(5, '0')}`, given, ['north', 'south', 'east'][Math.floor(random() * 3)],
      ...centres[h].map((c) => (c + 1.6 * normal(random)).toFixed(3))].join(','));
  }
  return lines.join('\n') + '\n';
}

// stripes are two long groups, one above the other, which k-means cuts across; their ids tell which: s1-00007.
export function stripes(n: number): string {
  const random = randomFrom(17), lines = ['id,x,y'];
  for (let i = 0; i < n; i++) lines.push(`s${i % 2}-${String(i).padStart(5, '0')},${(20 * normal(random)).toFixed(3)},${(6 * (i % 2) + 0.5 * normal(random)).toFixed(3)}`);
  return lines.join('\n') + '\n';
}

// clumps are three dense groups, two of them nearer to each other, and rows between them that belong nowhere; the ids tell which: g1-00007, out-00008.
export function clumps(n: number): string {
  const random = randomFrom(41), centres = [[0, 0], [9, 0], [4, 40]], lines = ['id,x,y'];
  for (let i = 0; i < n; i++) {
    const c = i % 12 === 11 ? null : centres[i % 3]!;
    const x = c ? c[0]! + 0.9 * normal(random) : 80 * random() - 30, y = c ? c[1]! + 0.9 * normal(random) : 80 * random() - 20;
    lines.push(`${c ? `g${i % 3}` : 'out'}-${String(i).padStart(5, '0')},${x.toFixed(3)},${y.toFixed(3)}`);
  }
  return lines.join('\n') + '\n';
}

const topics: Record<string, string[]> = {
  refund: ['refund', 'money', 'return', 'charged', 'card', 'bank', 'twice', 'payment'],
  login: ['password', 'login', 'account', 'reset', 'email', 'locked', 'code', 'phone'],
  delivery: ['parcel', 'delivery', 'late', 'courier', 'address', 'tracking', 'box', 'lost'],
  crash: ['app', 'crash', 'screen', 'update', 'freeze', 'version', 'restart', 'bug'],
  invoice: ['invoice', 'tax', 'receipt', 'company', 'number', 'copy', 'billing', 'month'],
};

// tickets have an id that tells the topic: refund-00012.
export function tickets(n: number, tagged: number): string {
  const random = randomFrom(23), all = Object.keys(topics), filler = ['please', 'help', 'today', 'again', 'thanks', 'hello', 'still', 'need', 'order', 'yesterday'];
  const pick = (a: string[]) => a[Math.floor(random() * a.length)];
  const lines = ['ticket_id,tag,body'];
  for (let i = 0; i < n; i++) {
    const t = all[i % all.length];
    const words = Array.from({ length: 9 + Math.floor(random() * 8) }, () => random() < 0.62 ? pick(topics[t]) : random() < 0.85 ? pick(filler) : pick(topics[pick(all)]));
    lines.push(`${t}-${String(i).padStart(5, '0')},${i < tagged ? t : ''},${words.join(' ')}`);
  }
  return lines.join('\n') + '\n';
}

// shops are of three kinds; their zip codes look like numbers, and each has a remark.
export function shops(n: number): string {
  const random = randomFrom(31), words = ['clean', 'busy', 'small', 'new', 'quiet', 'large', 'old', 'bright', 'open', 'late', 'cheap', 'friendly'];
  const lines = ['shop,zip,revenue,staff,kind,remark'];
  for (let i = 0; i < n; i++) {
    const h = i % 3, remark = Array.from({ length: 6 }, () => words[Math.floor(random() * words.length)]).join(' ');
    lines.push([`s-${String(i).padStart(4, '0')}`, [10115, 50667, 80331][h]! + Math.floor(random() * 40) * 3, ([120, 300, 610][h]! + 18 * normal(random)).toFixed(1),
      Math.max(1, Math.round([3, 12, 7][h]! + normal(random))), ['corner', 'market', 'outlet'][random() < 0.9 ? h : (h + 1) % 3], remark].join(','));
  }
  return lines.join('\n') + '\n';
}

// edges join the nodes of groups of one size, most of them within their group.
export function edges(groups: number, size: number): string {
  const random = randomFrom(37), lines = ['source,target'];
  for (let g = 0; g < groups; g++) {
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < 6; j++) {
        const other = random() < 0.95 ? g : Math.floor(random() * groups), to = Math.floor(random() * size);
        if (other !== g || to !== i) lines.push(`n${g}-${i},n${other}-${to}`);
      }
    }
  }
  return lines.join('\n') + '\n';
}

// photograph is a PNG of an ellipse before a ground of another colour, both with noise.
export function photograph(width: number, height: number, inner = [185, 110, 45], outer = [40, 90, 150], seed = 5, middle = [0.5, 0.5]): Buffer {
  const random = randomFrom(seed), rows = Buffer.alloc(height * (1 + 3 * width));
  const noise = new Uint8Array(4096).map(() => Math.floor(random() * 40));
  let at = 0;
  for (let y = 0; y < height; y++) {
    rows[at++] = 0;
    for (let x = 0; x < width; x++) {
      const dx = (x / width - middle[0]!) / 0.28, dy = (y / height - middle[1]!) / 0.32, inside = dx * dx + dy * dy <= 1;
      const n = noise[(x * 7 + y * 131 + ((x * y) >> 6)) & 4095];
      for (let c = 0; c < 3; c++) rows[at++] = (inside ? inner : outer)[c]! + n;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level: 1 })), chunk('IEND', Buffer.alloc(0))]);
}

// scenes are pictures of three kinds, which their names tell: sea-07.png.
export function scenes(n: number): { name: string; png: Buffer }[] {
  const random = randomFrom(43), grounds: [string, number[]][] = [['sea', [20, 70, 180]], ['sand', [200, 160, 80]], ['wood', [30, 110, 40]]];
  return Array.from({ length: n }, (_, i) => {
    const [kind, ground] = grounds[i % 3]!, inner = [0, 1, 2].map(() => Math.floor(random() * 215));
    return { name: `${kind}-${String(i).padStart(2, '0')}.png`, png: photograph(96, 72, inner, ground, i + 1, [0.3 + 0.4 * random(), 0.3 + 0.4 * random()]) };
  });
}

// vectors are an NPY file of rows of numbers.
export function vectors(rows: number[][]): Buffer {
  const about = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows.length}, ${rows[0]!.length}), }`;
  const head = Buffer.from(about.padEnd(117) + '\n', 'latin1'), size = Buffer.alloc(2);
  size.writeUInt16LE(head.length);
  return Buffer.concat([Buffer.from([0x93]), Buffer.from('NUMPY\x01\x00', 'latin1'), size, head, Buffer.from(Float32Array.from(rows.flat()).buffer)]);
}

function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body]), out = Buffer.alloc(8 + named.length);
  out.writeUInt32BE(body.length, 0);
  named.copy(out, 4);
  out.writeUInt32BE(crc(named), 4 + named.length);
  return out;
}

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function crc(b: Buffer): number {
  let c = 0xffffffff;
  for (const x of b) c = table[(c ^ x) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}
