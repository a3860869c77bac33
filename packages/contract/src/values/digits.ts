/** Reads the digits of every script. Used by the frame and the service, so it has no dependencies. */

const DIGIT = /\p{Nd}/u
const DIGITS = /\p{Nd}/gu
const NOT_ASCII = /[^\0-\x7f]/

/**
 * Returns the value of a decimal digit. Unicode assigns the digits of a script to consecutive code points, from 0 to 9,
 * so a digit's value is its distance from the start of its run. The mathematical digits form one run of five alphabets.
 */
function valueOfDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  let first = code
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1
  return String((code - first) % 10)
}

/** Replaces each decimal digit of any script, such as Arabic-Indic or full-width, with the ASCII digit of its value. */
export function toAsciiDigits(text: string): string {
  return NOT_ASCII.test(text) ? text.replace(DIGITS, digit => (digit < '\x7f' ? digit : valueOfDigit(digit))) : text
}

/** Returns only the digits in a string, as ASCII digits. */
export function digitsOf(text: string): string {
  return toAsciiDigits(text).replace(/\D/g, '')
}

/** The maximum length of a text that is searched for a number: longer than any text message. */
const MAX_TEXT_LENGTH = 2_000
/** Groups of digits that are separated by single spaces or dashes, such as `123-456`. */
const GROUPS = /\d+(?:[ -]\d+)*/g

/**
 * Finds the only number of `length` digits in a text, such as the code in a text message. Prefers digits without
 * separators over digits in equal groups, such as `123-456`. Returns null if there is no such number, or more than one.
 */
export function findNumber(text: string, length: number): string | null {
  if (text.length > MAX_TEXT_LENGTH) return null
  const plain = new Set<string>()
  const grouped = new Set<string>()
  const ascii = toAsciiDigits(text)
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/\p{Pd}/gu, '-')
  for (const group of ascii.match(GROUPS) ?? []) {
    const parts = group.split(/[ -]/)
    for (const part of parts) if (part.length === length) plain.add(part)
    const isEven = parts.every(part => part.length === parts[0]!.length)
    if (parts.length > 1 && isEven && parts.join('').length === length) grouped.add(parts.join(''))
  }
  const numbers = plain.size > 0 ? plain : grouped
  return numbers.size === 1 ? [...numbers][0]! : null
}
