/** Formats numbers while people type and paste them: extracts digits, regroups them, and keeps the caret in place. */

/** Returns only the digits in a string. Also accepts full-width digits, which some keyboards produce. */
export function digitsOf(text: string): string {
  return text.normalize('NFKC').replace(/\D/g, '')
}

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

/**
 * Returns the digits of a US number, at most ten. Removes a leading 1, which must be the country code, because no area
 * code starts with 1.
 */
export function usNumber(text: string): string {
  return digitsOf(text).replace(/^1/, '').slice(0, 10)
}

/** Formats a complete or partial US number. */
export function showUsNumber(digits: string): string {
  if (digits.length < 4) return digits
  return intoPattern(digits, digits.length < 7 ? '(###) ###' : '(###) ###-####')
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
  input.value = shown
  let caret = before >= bare.length ? shown.length : 0
  for (let left = before; caret < shown.length && left > 0; caret++) if (/[0-9A-Za-z]/.test(shown[caret]!)) left--
  if (input.ownerDocument.activeElement === input) input.setSelectionRange(caret, caret)
  return bare
}
