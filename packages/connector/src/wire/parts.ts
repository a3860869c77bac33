/** Reads streams with a limit on their size and on the number of their parts. */

/** The least average size of a part, in bytes. Reading a part costs as much as reading this many bytes. */
const MIN_AVERAGE_PART = 256
/** The number of parts that may be smaller. */
const FREE_PARTS = 256

/** The maximum number of parts of a stream of at most `maxSize` bytes. */
export const maxPartsOf = (maxSize: number): number => FREE_PARTS + Math.ceil(maxSize / MIN_AVERAGE_PART)

/**
 * Reads a whole stream. Stops reading a stream that is longer than `maxSize` bytes, or that arrives in too many parts.
 * Rejects if the stream fails.
 * @param onSize called with the number of bytes so far, before they are kept
 * @returns the bytes, or the limit that the stream exceeds
 */
export async function readParts(
  stream: ReadableStream<Uint8Array> | null,
  maxSize: number,
  onSize: (size: number) => void = () => {},
): Promise<Buffer | 'size' | 'parts'> {
  const parts: Uint8Array[] = []
  const maxParts = maxPartsOf(maxSize)
  let size = 0
  const reader = stream?.getReader()
  /** The rest of the stream is not needed, so it does not matter if it has already failed. */
  const stop = () => void reader?.cancel().catch(() => {})
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > maxSize || parts.length >= maxParts) {
      stop()
      return size > maxSize ? 'size' : 'parts'
    }
    try {
      onSize(size)
    } catch (error) {
      stop()
      throw error
    }
    parts.push(value)
  }
  return Buffer.concat(parts)
}
