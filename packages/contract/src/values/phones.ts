/** Reads US phone numbers. Used by the frame and the service, so it has no dependencies. */
import { toAsciiDigits } from './digits.js'

/**
 * A US number in E.164 format: the area code and the exchange begin with 2 to 9, and no area code ends in 11 or is
 * outside of all places: toll-free (800, 833 and so on), premium (900), or for machines and services (500, 600, 700).
 * Also matches the exchange 123, which no carrier has: the sandbox's first test people have such numbers. The service
 * accepts them only in the sandbox: see `isTestExchange`.
 */
export const US_PHONE =
  /^\+1(?!.11|500|52[1-9]|533|544|566|577|588|600|622|633|644|655|677|688|7[01]0|800|822|833|844|855|866|877|88|900)[2-9]\d\d(?:[2-9]\d\d|123)\d{4}$/

/** Returns true if a number in E.164 format has the exchange that is reserved for tests. */
export const isTestExchange = (phone: string): boolean => phone.slice(5, 8) === '123'

/** The maximum length of a text that is read as a phone number. */
const MAX_LENGTH = 80

/** Invisible characters, such as the marks for text direction in numbers that are copied from a list of contacts. */
const INVISIBLE = /\p{Cf}/gu
const EXTENSION = /(?:ext(?:ension|n)?|x|#|,|;)[\s:.=]*\d{1,8}$/i

/** Returns text with ASCII digits and only visible characters. */
const plainText = (text: string): string => toAsciiDigits(text).replace(INVISIBLE, '').replace('＋', '+').trim()

/** Returns true if a text is a number in any usual notation, without any other words. */
export const isPhoneText = (text: string): boolean =>
  text.length <= MAX_LENGTH && !/\p{L}/u.test(plainText(text).replace(/^tel:/i, '').replace(EXTENSION, ''))

export interface PhoneText {
  /** The digits without a country code or an extension. */
  digits: string
  /** True if the number belongs to another country. */
  isForeign: boolean
}

/**
 * Reads a complete or partial number in any usual notation: with or without the country code 1, with an extension, or
 * as a `tel:` link.
 */
export function readPhone(text: string): PhoneText {
  if (text.length > MAX_LENGTH) return { digits: '', isForeign: true }
  const plain = plainText(text)
  const whole = plain.replace(/\D/g, '')
  const isInternational = /^[^\d+]*\+/.test(plain)
  // A prefix for international calls, such as 00 or 011, is never the beginning of a US number.
  const prefix = isInternational ? '' : (/^(?:011|00)/.exec(whole)?.[0] ?? '')
  const country = whole.slice(prefix.length)
  if ((isInternational || prefix) && country !== '' && !country.startsWith('1'))
    return { digits: country, isForeign: true }
  const bare = plain.replace(EXTENSION, '').replace(/\D/g, '')
  const national = (digits: string) => digits.slice(prefix.length).replace(/^1/, '')
  // An extension follows a complete number.
  const digits = national(bare).length === 10 ? national(bare) : national(whole)
  return { digits, isForeign: /\d\s*\+/.test(plain) }
}

/** Returns the US number in a text in E.164 format; null if the text is not a complete US number. */
export function readUsPhone(text: string): string | null {
  const { digits, isForeign } = readPhone(text)
  const phone = `+1${digits}`
  return !isForeign && US_PHONE.test(phone) ? phone : null
}
