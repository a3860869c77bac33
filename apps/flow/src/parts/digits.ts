/**
 * Reads and formats numbers while people type and paste them: digits of every script count, and the caret keeps its
 * place.
 */
import { digitsOf, findNumber, toAsciiDigits } from '@causeway/contract/values/digits'
import { readPhone, readUsPhone } from '@causeway/contract/values/phones'

/** Inserts digits into a pattern in which each `#` stands for a digit. Extra digits are appended. */
export function intoPattern(digits: string, pattern: string): string {
  let out = ''
  let at = 0
  for (const sign of pattern) {
    if (at >= digits.length) break
    out += sign === '#' ? digits[at++] : sign
  }
  return out + digits.slice(at)
}

/** Returns the text with ASCII digits, plain spaces and dashes, and without invisible characters. */
const plainOf = (text: string): string =>
  toAsciiDigits(text)
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/\p{Pd}/gu, '-')

/** Returns true if a text contains only digits, spaces and dashes. */
const isBare = (plain: string): boolean => /^[\d\s-]*$/.test(plain)

/** Formats a complete or partial US number. */
export function showUsNumber(digits: string): string {
  if (digits.length < 4) return digits
  return intoPattern(digits, digits.length < 7 ? '(###) ###' : '(###) ###-####')
}

/** Returns true if a text contains only a complete or partial US number, in any usual format. */
export function isUsNumber(text: string): boolean {
  const plain = plainOf(text).trim()
  return /^(?:\+\s*1)?[\d\s().-]*$/.test(plain) && !/^\D*(?:00|011)/.test(plain)
}

/** Formats a complete US number. Returns any other text unchanged, so that the person can correct it. */
export const tidyPhone = (text: string): string =>
  readUsPhone(text) === null ? text : showUsNumber(readPhone(text).digits)

/**
 * Returns the digits of a complete or partial code, or the only complete code in a longer text. Returns null if there is
 * no such code.
 */
export function readCode(text: string, length: number): string | null {
  const plain = plainOf(text)
  const digits = digitsOf(plain)
  return isBare(plain) && digits.length <= length ? digits : findNumber(plain, length)
}

/** Returns a typed ZIP code, or the only ZIP code in a longer text. Returns the text if it contains none. */
export function readZip(text: string): string {
  const plain = plainOf(text)
  if (isBare(plain)) return plain
  const codes = new Set(plain.match(/\b\d{5}(?:-\d{4})?\b/g))
  return codes.size === 1 ? [...codes][0]! : plain
}

/** Returns the digits of a typed card number, or of the only card number in a longer text. */
export function readCardNumber(text: string): string {
  const plain = plainOf(text)
  const numbers = new Set(
    (plain.match(/\d+(?:[ -]\d+)*/g) ?? []).map(digitsOf).filter(({ length }) => length >= 12 && length <= 19),
  )
  return !isBare(plain) && numbers.size === 1 ? [...numbers][0]! : digitsOf(plain)
}

/**
 * Returns the last four digits of a Social Security number, from the four digits or from the whole number. Returns null
 * for any other text.
 */
export function readLastFour(text: string): string | null {
  const digits = digitsOf(text)
  if (digits.length <= 4) return digits
  return digits.length === 9 ? digits.slice(-4) : findNumber(text, 4)
}

/** Replaces an input's text, and moves the caret after its first `caret` characters. */
function replaceText(input: HTMLInputElement, text: string, caret: number): void {
  input.value = text
  if (input.ownerDocument.activeElement === input) input.setSelectionRange(caret, caret)
}

/**
 * Reformats an input field after a keystroke and keeps the caret after the same character.
 * @param read extracts the significant characters from the text
 * @param show formats the significant characters
 * @returns the significant characters
 */
export function rewrite(
  input: HTMLInputElement,
  read: (text: string) => string,
  show: (bare: string) => string,
): string {
  const bare = read(input.value)
  const before = read(input.value.slice(0, input.selectionStart ?? input.value.length)).length
  const shown = show(bare)
  if (input.value === shown) return bare
  let caret = before >= bare.length ? shown.length : 0
  for (let left = before; caret < shown.length && left > 0; caret++) if (/[0-9A-Za-z]/.test(shown[caret]!)) left--
  replaceText(input, shown, caret)
  return bare
}

/** Replaces the digits in an input with ASCII digits, and keeps all other text. Returns the text. */
export function rewriteDigits(input: HTMLInputElement): string {
  const text = toAsciiDigits(input.value)
  if (text !== input.value)
    replaceText(input, text, toAsciiDigits(input.value.slice(0, input.selectionStart ?? input.value.length)).length)
  return text
}

/**
 * Keeps only the digits in an input of at most `length` digits. If there are more, restores the previous digits.
 * Returns the digits.
 */
export function keepDigits(input: HTMLInputElement, length: number, previous: string): string {
  const digits = rewrite(input, digitsOf, bare => bare)
  if (digits.length <= length) return digits
  replaceText(input, previous, previous.length)
  return previous
}
