/** Random numbers from a seed. Streams with different names are independent, so that leaving one out changes no other. */
import { createHash } from 'node:crypto'

/**
 * Returns a stream of random numbers.
 * @param name the seed and the purpose of the stream
 */
export function createRandom(name) {
  const digest = createHash('sha256').update(name).digest()
  let [a, b, c, d] = [0, 4, 8, 12].map(offset => digest.readUInt32LE(offset))

  /** The generator sfc32. Returns an integer from 0 to 2^32 - 1. */
  function word() {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
  for (let round = 0; round < 12; round += 1) word()

  const next = () => word() / 0x1_0000_0000
  const whole = (from, to) => from + Math.floor(next() * (to - from + 1))
  return {
    /** Returns a number from 0 to 1, without 1. */
    next,
    /** Returns a whole number between two limits, both included. */
    whole,
    chance: share => next() < share,
    pick: list => list[Math.floor(next() * list.length)],
    /** Returns one of the names, in proportion to the shares. */
    weighted(shares) {
      let left = next() * Object.values(shares).reduce((sum, share) => sum + share, 0)
      for (const [name, share] of Object.entries(shares)) {
        left -= share
        if (left < 0) return name
      }
      return Object.keys(shares)[0]
    },
    /** Fills a buffer. */
    fill(bytes) {
      for (let index = 0; index < bytes.length; index += 1) bytes[index] = word() & 0xff
      return bytes
    },
    hex(length) {
      let text = ''
      while (text.length < length) text += word().toString(16).padStart(8, '0')
      return text.slice(0, length)
    },
  }
}
