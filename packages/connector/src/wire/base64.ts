/**
 * Decodes base64 or base64url, with or without padding. Returns null for any other text, which `Buffer.from` would
 * decode in part.
 */
export function readBase64(text: string): Buffer | null {
  const digits = text.replace(/=$/, '').replace(/=$/, '').replaceAll('-', '+').replaceAll('_', '/')
  const bytes = Buffer.from(digits, 'base64')
  return digits !== '' && bytes.toString('base64').replaceAll('=', '') === digits ? bytes : null
}
