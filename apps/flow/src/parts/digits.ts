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
 * Rewrites an input after a keystroke and keeps the caret behind the same sign.
 * @param read what counts of a text
 * @param show that, as it is written
 * @returns what it now holds
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
  input.value = shown
  let caret = before >= bare.length ? shown.length : 0
  for (let left = before; caret < shown.length && left > 0; caret++) if (/[0-9A-Za-z]/.test(shown[caret]!)) left--
  if (input.ownerDocument.activeElement === input) input.setSelectionRange(caret, caret)
  return bare
}
