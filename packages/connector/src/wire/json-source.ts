/**
 * Finds what JSON.parse hides: members that occur twice, of which it keeps only the last, and numbers that it rounds.
 * Reads the source text of a valid JSON document once, from start to end.
 */

/** An array or an object that the reader is inside of. */
interface Level {
  /** The names of the object's members so far; null for an array. */
  readonly names: Set<string> | null
  readonly isInMetadata: boolean
  /** The current member's name or the current item's index. */
  at: string | number
}

interface SourceFault {
  readonly kind: 'repeated' | 'inexact'
  readonly path: readonly (string | number)[]
}

/** Returns true if a value in this level is part of metadata. */
const isInMetadata = (level: Level | undefined): boolean =>
  level !== undefined && (level.isInMetadata || level.at === 'metadata')

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Returns the index of the quote that ends the string whose opening quote is at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  for (;;) {
    let from = end
    while (text.charCodeAt(from - 1) === BACKSLASH) from -= 1
    if ((end - from) % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
}

const isNumberPart = (code: number) =>
  (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2d || code === 0x2b || code === 0x65 || code === 0x45

/**
 * Returns the first repeated member or inexact number in a JSON document, or undefined. The text must be valid JSON.
 * @param isStrict true to treat all numbers like those in metadata, which keep every digit
 */
export function findSourceFault(text: string, isStrict = false): SourceFault | undefined {
  const levels: Level[] = []
  const pathTo = () => levels.map(({ at }) => at)
  const open = (names: Set<string> | null, at: string | number) =>
    levels.push({ names, isInMetadata: isInMetadata(levels.at(-1)), at })
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = endOfString(text, at)
      const level = levels.at(-1)
      if (level?.names && isName(text, end)) {
        const name = readName(text, at, end)
        level.at = name
        if (level.names.has(name)) return { kind: 'repeated', path: pathTo() }
        level.names.add(name)
      }
      at = end
    } else if (code === 0x7b) open(new Set(), '')
    else if (code === 0x5b) open(null, 0)
    else if (code === 0x7d || code === 0x5d) levels.pop()
    else if (code === 0x2c) {
      const level = levels.at(-1)!
      if (typeof level.at === 'number' && !level.names) level.at += 1
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      let end = at + 1
      while (isNumberPart(text.charCodeAt(end))) end += 1
      if (!isExact(text.slice(at, end), isStrict || isInMetadata(levels.at(-1))))
        return { kind: 'inexact', path: pathTo() }
      at = end - 1
    }
  }
  return undefined
}

/** Returns true if the string that ends at `end` is a member's name, which a colon follows. */
function isName(text: string, end: number): boolean {
  let after = end + 1
  while (text.charCodeAt(after) <= 0x20) after += 1
  return text[after] === ':'
}

function readName(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end)
  return name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name
}

/** Numbers of at most this many digits are exact, so they need no further check. */
const EXACT_DIGITS = 15
/** The number of digits that some encoders write for every number, which is enough to identify each double. */
const FULL_DIGITS = 17

/**
 * Returns true if a double keeps the number's decimal value.
 * @param strictly false to also accept the 17 digits of a double, such as 0.10000000000000001 for 0.1
 */
function isExact(number: string, strictly: boolean): boolean {
  if (number.length <= EXACT_DIGITS && !/[eE]/.test(number)) return true
  const double = Number(number)
  if (!Number.isFinite(double)) return false
  const decimal = decimalOf(number)
  if (decimal.text === decimalOf(String(double)).text) return true
  return (
    !strictly &&
    !Number.isInteger(double) &&
    decimal.digits <= FULL_DIGITS &&
    decimal.text === decimalOf(double.toPrecision(decimal.digits)).text
  )
}

/** Returns a number's canonical text, such as `-12e3`, and the number of digits in it. */
function decimalOf(number: string): { text: string; digits: number } {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = whole + fraction
  let from = 0
  let to = digits.length
  while (from < to && digits[from] === '0') from += 1
  while (to > from && digits[to - 1] === '0') to -= 1
  if (from === to) return { text: '0', digits: 1 }
  const sign = number.startsWith('-') ? '-' : ''
  const shift = Number(exponent) - fraction.length + digits.length - to
  return { text: `${sign}${digits.slice(from, to)}e${shift}`, digits: to - from }
}
