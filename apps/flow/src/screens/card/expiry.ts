/** A card's expiration date, parsed from what people type, such as 03/28, 3 / 2028 or 0328. */
import { toAsciiDigits } from '@causeway/contract/values/digits'

export interface Expiry {
  state: 'fine' | 'bad' | 'past'
  /** Two digits, from 01 to 12. */
  month: string
  /** Four digits. */
  year: string
}

const bad: Expiry = { state: 'bad', month: '', year: '' }

/** Parses an expiration date. A card is valid through the end of its expiration month. */
export function readExpiry(text: string, now: Date): Expiry {
  const plain = toAsciiDigits(text)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  const [, typed, end] = /^(\d{1,2}) ?[/\-. ] ?(\d{2}|\d{4})$/.exec(plain) ?? /^(\d{2})(\d{2}|\d{4})$/.exec(plain) ?? []
  if (!typed || !end) return bad
  const month = typed.padStart(2, '0')
  const year = end.length === 2 ? `20${end}` : end
  if (Number(month) < 1 || Number(month) > 12) return bad
  const over = Number(year) * 12 + Number(month) < now.getFullYear() * 12 + now.getMonth() + 1
  return { state: over ? 'past' : 'fine', month, year }
}
