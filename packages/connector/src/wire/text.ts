/** One decoder suffices, because each call decodes a whole text. It drops a byte order mark. */
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Decodes UTF-8, with or without a byte order mark. Returns undefined for other bytes, and never replaces any. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Returns the offset of the first byte that is not part of a UTF-8 character. */
export function findInvalidByte(bytes: Uint8Array): number {
  const repaired = Buffer.from(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  return bytes.findIndex((byte, at) => byte !== repaired[at])
}

/** Finds characters that some stores do not preserve: NUL and unpaired surrogates. */
export const findUnstorableCharacter = (text: string): string | undefined =>
  text.includes('\0') ? 'the character U+0000' : /\p{Cs}/u.test(text) ? 'an unpaired surrogate' : undefined

/**
 * Decodes a response from a server that may use any charset: the one in its Content-Type or, by default, UTF-8. Returns
 * null for bytes in neither.
 * @param type the Content-Type header
 * @param isCut true if the bytes may end inside a character
 */
export function decodeResponse(bytes: Uint8Array, type: string | null, isCut: boolean): string | null {
  const charset = /;\s*charset="?([\w.:-]{1,40})/i.exec(type?.slice(0, 200) ?? '')?.[1]
  for (const label of charset === undefined ? ['utf-8'] : ['utf-8', charset])
    try {
      return new TextDecoder(label, { fatal: true }).decode(bytes, { stream: isCut })
    } catch {}
  return null
}
