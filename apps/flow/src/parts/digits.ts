/** Numbers as people type and paste them: digits out, groups back in, the caret where it was. */

/** The digits of a text, in any script's decimal digits that phones produce, without everything else. */
export function digitsOf(text: string): string {
  return text.normalize('NFKC').replace(/\D/g, '')
}

/** Digits laid into a pattern where `#` stands for one; what is over goes at the end. */
export function intoPattern(digits: string, pattern: string): string {
  let out = ''
  let at = 0
  for (const sign of pattern) {
    if (at >= digits.length) break
    out += sign === '#' ? digits[at++] : sign
  }
  return out + digits.slice(at)
}

/** Ten digits of a US number. A leading 1 is the country code: no area code begins with it. */
export function usNumber(text: string): string {
  return digitsOf(text).replace(/^1/, '').slice(0, 10)
}

/** A US number as it is written, as far as it goes. */
export function showUsNumber(digits: string): string {
  if (digits.length < 4) return digits
  return intoPattern(digits, digits.length < 7 ? '(###) ###' : '(###) ###-####')
}

/**
 * Rewrites an input after a keystroke and keeps the caret behind the same digit.
 * @returns the digits it now holds
 */
export function rewrite(
  input: HTMLInputElement,
  read: (text: string) => string,
  show: (digits: string) => string,
): string {
  const before = digitsOf(input.value.slice(0, input.selectionStart ?? input.value.length)).length
  const dropped = digitsOf(input.value).length - read(input.value).length
  const digits = read(input.value)
  const shown = show(digits)
  if (input.value !== shown) {
    const atEnd = before >= digitsOf(input.value).length
    input.value = shown
    let at = 0
    for (let left = Math.max(0, before - Math.max(0, dropped)); left > 0 && at < shown.length; at++)
      if (/\d/.test(shown[at]!)) left--
    const caret = atEnd ? shown.length : at
    if (input.ownerDocument.activeElement === input) input.setSelectionRange(caret, caret)
  }
  return digits
}
