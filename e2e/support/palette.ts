/** Encodes a screenshot as a PNG with 256 colors, which takes a third of the space and keeps text just as sharp. */
import { crc32, deflateSync } from 'node:zlib'
import type { Page } from '@playwright/test'

/** Colors count as the same if their squared distance is at most this value, with channels from 0 to 255. */
const MAX_COLOR_DISTANCE = 40

interface Indexed {
  width: number
  height: number
  /** The red, green and blue values of each color, in sequence. */
  colours: number[]
  /** The index of each pixel's color, row by row, in base64. */
  pixels: string
}

/** Selects the most frequent colors and maps every other color to the nearest of them. Runs in the page. */
async function index([base64, ALIKE]: readonly [png: string, distance: number]): Promise<Indexed> {
  const image = new Image()
  image.src = `data:image/png;base64,${base64}`
  await image.decode()
  const { naturalWidth: width, naturalHeight: height } = image
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d')!
  context.drawImage(image, 0, 0)
  const points = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer)
  const counts = new Map<number, number>()
  for (const point of points) counts.set(point, (counts.get(point) ?? 0) + 1)
  const parts = (point: number) => [point & 255, (point >> 8) & 255, (point >> 16) & 255] as const
  type Colour = ReturnType<typeof parts>
  const far = ([x, y, z]: Colour, [r, g, b]: Colour) => (x - r) ** 2 + (y - g) ** 2 + (z - b) ** 2
  // Keep only one of several similar colors so that rare colors are included too.
  const kept: Colour[] = []
  for (const [point] of [...counts].sort((a, b) => b[1] - a[1])) {
    const colour = parts(point)
    if (kept.length < 256 && kept.every(other => far(other, colour) > ALIKE)) kept.push(colour)
  }
  const numbers = new Map<number, number>()
  for (const point of counts.keys()) {
    const colour = parts(point)
    const distances = kept.map(other => far(other, colour))
    numbers.set(point, distances.indexOf(Math.min(...distances)))
  }
  const bytes = Uint8Array.from(points, point => numbers.get(point)!)
  let pixels = ''
  for (let at = 0; at < bytes.length; at += 30_000)
    pixels += btoa(String.fromCharCode(...bytes.subarray(at, at + 30_000)))
  return { width, height, colours: kept.flat(), pixels }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}

/** @param page a page without a policy, used to decode the screenshot */
export async function withFewColours(page: Page, png: Buffer): Promise<Buffer> {
  const { width, height, colours, pixels } = await page.evaluate(index, [
    png.toString('base64'),
    MAX_COLOR_DISTANCE,
  ] as const)
  const bytes = Buffer.from(pixels, 'base64')
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  // Eight bits per pixel, as indexes into the palette.
  header.set([8, 3, 0, 0, 0], 8)
  const lines = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.of(0), bytes.subarray(y * width, (y + 1) * width)]),
  )
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colours)),
    chunk('IDAT', deflateSync(Buffer.concat(lines), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
