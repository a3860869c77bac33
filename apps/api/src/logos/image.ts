/** What a logo may be: images that a browser draws in an `<img>`, where nothing in them runs. */
const kinds: readonly [type: string, is: (bytes: Buffer) => boolean][] = [
  ['image/png', bytes => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))],
  ['image/jpeg', bytes => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))],
  ['image/gif', bytes => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))],
  ['image/webp', bytes => /^RIFF.{4}WEBP/s.test(bytes.toString('latin1', 0, 12))],
  [
    'image/svg+xml',
    bytes => /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<svg[\s/>]/s.test(bytes.toString('utf8')),
  ],
]

/** Media type of an image by its own bytes, whatever its sender called it; undefined where it is none of those. Pure. */
export const typeOf = (bytes: Buffer): string | undefined => kinds.find(([, is]) => is(bytes))?.[0]
