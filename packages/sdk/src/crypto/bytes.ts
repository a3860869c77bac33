export const bytesOf = (text: string) => new Uint8Array(new TextEncoder().encode(text))

/** Decodes base64 or base64url. Returns null if the text is neither. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w+/-]+={0,2}$/.test(text)) return null
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), unit => unit.charCodeAt(0))
  } catch {
    return null
  }
}

/** Encodes bytes as base64url without padding. */
export function toBase64url(bytes: Uint8Array): string {
  let units = ''
  for (const byte of bytes) units += String.fromCharCode(byte)
  return btoa(units).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Decodes lowercase hex. Returns null if the text is not hex. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> | null {
  const pairs = /^(?:[0-9a-f]{2})+$/.test(text) ? text.match(/../g) : null
  return pairs && Uint8Array.from(pairs, pair => Number.parseInt(pair, 16))
}

export function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Parses a JSON object in UTF-8. Returns null for anything else. */
export function readObject(bytes: Uint8Array): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
