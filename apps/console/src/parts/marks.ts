/** Shows a status as a color, an icon and a word. A color never appears without a word. */
import { html, type TemplateResult } from 'lit'
import { wordOf, words } from '../words.js'
import { type IconName, icon } from './icons.js'

/** The names of the colors. Each color has a class `c-…`, which sets `--c`. */
export type Tone = 'slate' | 'violet' | 'blue' | 'teal' | 'amber' | 'pink' | 'red' | 'good' | 'warn'

export const pill = (tone: Tone, name: IconName, text: string): TemplateResult =>
  html`<span class="pill c-${tone}">${icon(name)}${text}</span>`

/** The color and icon of each payment status, used throughout the console. */
const paymentMarks: Readonly<Record<string, [Tone, IconName]>> = {
  pending: ['slate', 'clock'],
  hold: ['warn', 'hold'],
  processing: ['violet', 'pay'],
  sent: ['blue', 'pay'],
  posted: ['teal', 'ok'],
  cashed: ['teal', 'ok'],
  settled: ['teal', 'ok'],
  reversal_required: ['amber', 'undo'],
  reversal_processing: ['amber', 'undo'],
  partial_reversal_processing: ['amber', 'undo'],
  reversed: ['pink', 'undo'],
  partially_reversed: ['pink', 'undo'],
  failed: ['red', 'x'],
  canceled: ['slate', 'x'],
}

/** Returns a payment's status, or `hold` if the payment is held. */
export const shownStatus = (payment: { status: string; fund_status?: string | undefined }): string =>
  payment.status === 'pending' && payment.fund_status === 'hold' ? 'hold' : payment.status

/** The statuses with which a payment ends without paying its destination. */
export const endedUnpaid: ReadonlySet<string> = new Set(['failed', 'canceled', 'reversed'])

export const paymentTone = (standing: string): Tone => paymentMarks[standing]?.[0] ?? 'slate'

export function paymentPill(standing: string): TemplateResult {
  const [tone, name] = paymentMarks[standing] ?? ['slate', 'clock']
  return pill(tone, name, wordOf(words.money, standing))
}

const statusMarks: Readonly<Record<string, [Tone, IconName]>> = {
  active: ['good', 'ok'],
  incomplete: ['warn', 'clock'],
  disabled: ['red', 'x'],
  deleted: ['slate', 'gone'],
  closed: ['slate', 'x'],
  processing: ['blue', 'clock'],
  requires_attention: ['red', 'alert'],
  pending: ['slate', 'clock'],
  delivered: ['good', 'ok'],
  failed: ['red', 'x'],
  canceled: ['slate', 'hold'],
  pending_approval: ['warn', 'hold'],
  waiting: ['warn', 'clock'],
  approved: ['good', 'ok'],
  declined: ['slate', 'x'],
  withdrawn: ['slate', 'undo'],
  expired: ['slate', 'clock'],
  sent: ['good', 'ok'],
  completed: ['good', 'ok'],
  pending_release: ['amber', 'hold'],
  released: ['good', 'ok'],
  partly_paid: ['warn', 'alert'],
  confirmed: ['blue', 'ok'],
  open: ['warn', 'clock'],
  left: ['slate', 'x'],
  not_them: ['red', 'alert'],
  erased: ['slate', 'gone'],
  agrees: ['good', 'ok'],
  disagrees: ['red', 'alert'],
  masked: ['slate', 'lock'],
}

export function statusPill(status: string, text = wordOf(words.status, status)): TemplateResult {
  const [tone, name] = statusMarks[status] ?? ['slate', 'clock']
  return pill(tone, name, text)
}

/** A pill that shows an HTTP status. */
export const httpPill = (status: number): TemplateResult =>
  status < 400
    ? pill('good', 'ok', String(status))
    : pill(status < 500 ? 'amber' : 'red', status < 500 ? 'alert' : 'x', String(status))
