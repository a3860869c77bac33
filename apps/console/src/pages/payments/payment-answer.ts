/**
 * Builds the summary for a payment's page from the service's codes. All functions are pure, so each state can be
 * tested.
 */
import type { Payment, PaymentExplanation } from '@causeway/sdk'
import { accountId, accountName } from '../../accounts.js'
import type { Console } from '../../page.js'
import type { Answer } from '../../parts/answer.js'
import { endedUnpaid, paymentTone, shownStatus } from '../../parts/marks.js'
import type { PathStep } from '../../parts/step-path.js'
import { may } from '../../shapes.js'
import { consequencesOf, wordOf, words } from '../../words.js'

const { payment: text } = words

const tones: Readonly<Record<string, Answer['tone']>> = {
  failed: 'bad',
  canceled: 'calm',
  hold: 'warn',
  reversal_required: 'warn',
  reversal_processing: 'warn',
  partial_reversal_processing: 'warn',
  reversed: 'warn',
  partially_reversed: 'warn',
  posted: 'good',
  cashed: 'good',
  settled: 'good',
}

export function answerOf(
  { format, session }: Pick<Console, 'format' | 'session'>,
  payment: Payment,
  explanation: PaymentExplanation,
  bank: string | null,
): Answer {
  const state = shownStatus(payment)
  const isYours = may(session, 'payments')
  const destination = accountName(payment.destination)
  const { cause, money } = explanation
  const account = nameIn(payment, money.account)
  const place = text.place[money.place as keyof typeof text.place]
  const amount = format.money(money.amount)
  const causing = causingAccount(payment, cause)
  // A payment fails only after its debit has been posted, so its postings include both the debit and its reversal.
  const where =
    state === 'failed'
      ? text.undone(amount, account)
      : place
        ? place(amount, account, destination)
        : `${amount}: ${money.place}`
  const next = explanation.reversal?.direction === 'debit' ? text.nextDebit : text.nextApprove(account)
  const { error, returned_as: back } = payment
  const sub = error && cause && error.code === cause.code ? ` ${error.sub_type}` : ''
  const raw = back ? ` · ${[back.code, format.text(back.at, 'moment'), back.trace].filter(Boolean).join(' · ')}` : ''
  const todo = todoOf(state, explanation, payment)
  return {
    tone: tones[state] ?? 'calm',
    title: titleOf(state, explanation, { bank: bank ?? destination, isYours }),
    points: [
      [
        words.answer.why,
        cause ? (words.why[cause.code]?.(causing) ?? String(cause.code)) : '',
        cause ? `${cause.code}${sub}${raw}` : '',
      ],
      [words.answer.where, state === 'reversal_required' ? `${where} ${next}` : where],
      [words.answer.means, consequencesOf(explanation, destination)],
      [words.answer.todo, isApprovable(state, explanation) ? `${text.approve(isYours)} ${todo}` : todo],
    ],
  }
}

/** Returns the payment of the same amount that was created after another one and still pays the same destination. */
export const laterPayment = (
  { id, amount, created_at, status }: Payment,
  toDestination: readonly Payment[],
): Payment | null =>
  toDestination.find(
    each =>
      endedUnpaid.has(status) &&
      each.id !== id &&
      each.amount === amount &&
      each.created_at > created_at &&
      !endedUnpaid.has(each.status) &&
      !backwards.has(each.status),
  ) ?? null

/** Replaces what to do about a payment that ended, if a later payment pays the destination. */
export const withLater = (answer: Answer): Answer => ({
  ...answer,
  points: answer.points.map(([name, ...rest]) =>
    name === words.answer.todo ? [name, text.later.todo] : [name, ...rest],
  ),
})

/** Returns the name of the account that caused a failure, from the side that the service blames. */
const causingAccount = (payment: Payment, cause: PaymentExplanation['cause']): string =>
  accountName(cause?.side === 'destination' ? payment.destination : payment.source)

/** Returns the name of a payment's source or destination, or the id of any other account. */
export function nameIn({ source, destination }: Payment, account: string | null): string {
  const end = [source, destination].find(each => accountId(each) === account)
  return accountName(end ?? account)
}

/** True if someone must approve the payment's reversal. */
const isApprovable = (state: string, { reversal }: PaymentExplanation): boolean =>
  state === 'reversal_required' && reversal?.status !== 'failed'

function titleOf(
  state: string,
  { reversal }: PaymentExplanation,
  { bank, isYours }: { bank: string; isYours: boolean },
): string {
  if (reversal?.status === 'failed') return text.reversalFailed
  const debit = reversal?.direction === 'debit' && text.sayDebit[state as keyof typeof text.sayDebit]
  const say = debit || text.say[state as keyof typeof text.say]
  return typeof say === 'function' ? say(bank, isYours) : (say ?? wordOf(words.money, state))
}

/** The errors that say nothing about the accounts, only about their balance. */
const FUNDS_CODES: ReadonlySet<unknown> = new Set([10001, 10004])

/** Returns the side of a payment whose account was disabled since, or null. */
function disabledOf(consequences: PaymentExplanation['consequences']): 'source' | 'destination' | null {
  if (consequences.includes('account_disabled')) return 'destination'
  return consequences.includes('source_disabled') ? 'source' : null
}

function todoOf(state: string, { cause, consequences, money, reversal }: PaymentExplanation, payment: Payment): string {
  if (reversal?.status === 'failed') return text.todoFailed
  if (reversal?.direction === 'debit') {
    // If the destination is a bank account, that account is debited for the amount that it received. If the destination
    // is a debt, the money stays there, and the payer is debited instead.
    const isTakenBack = state === 'reversed' || money.account === accountId(payment.destination)
    const todo = (isTakenBack && state !== 'settled' ? text.todoTakeBack : text.todoDebit)[state]
    if (todo) return todo
  }
  if (state !== 'failed' || !cause) return wordOf(text.todo, state)
  const disabled = FUNDS_CODES.has(cause.code) ? disabledOf(consequences) : null
  if (disabled) return text.todoDisabled[disabled]
  return text.todoCause[cause.code]?.(causingAccount(payment, cause)) ?? wordOf(text.todo, state)
}

/** The destination statuses that mean that the money has arrived. */
const moved = new Set<string | null>(['sent', 'posted', 'cashed', 'settled', 'reversed'])

const order = ['pending', 'processing', 'sent', 'posted', 'settled']
const backwards = new Set([
  'reversal_required',
  'reversal_processing',
  'partial_reversal_processing',
  'reversed',
  'partially_reversed',
])

/** Returns the steps on a payment's path, including exceptions such as a hold, a failure or a return. */
export function stopsOf(
  { format, now }: Pick<Console, 'format' | 'now'>,
  payment: Payment,
  isDebit = false,
): PathStep[] {
  const state = shownStatus(payment)
  const tone = paymentTone(state)
  const { path } = text
  const made = format.text(payment.created_at, 'day')
  const changed = format.text(payment.updated_at, 'day')
  // A settlement date is only a plan, so it doesn't prove that the payment settled.
  const hasArrived = payment.destination_posted_date != null || moved.has(payment.destination_status)
  const settles = payment.source_settlement_date
  const isAhead = settles != null && Date.parse(settles) > now()
  const taken = settles ? (isAhead ? text.settles : (day: string) => day)(format.bankDate(settles)) : ''
  const arrived = payment.destination_posted_date ? format.bankDate(payment.destination_posted_date) : ''
  const done = (name: string, note = ''): PathStep => ({ name, note, state: 'done' })
  const here = (name: string, note: string): PathStep => ({ name, note, state: 'here', tone })
  const ahead = (name: string, note = ''): PathStep => ({ name, note, state: 'ahead' })
  if (state === 'canceled') return [done(path.made, made), here(path.canceled, changed)]
  if (state === 'failed')
    return [done(path.made, made), done(path.taken), here(path.failed, changed), ahead(path.arrived)]
  if (backwards.has(state)) {
    const isBack = state === 'reversed' || state === 'partially_reversed'
    const [back, returned] = isDebit ? [path.takenBack, path.debited] : [path.back, path.returned]
    return [
      done(path.made, made),
      done(path.taken, taken),
      done(path.way),
      ...(hasArrived ? [done(path.arrived, arrived)] : []),
      isBack ? done(back) : here(back, changed),
      isBack
        ? here(returned, changed)
        : ahead(returned, state === 'reversal_required' ? path.afterApproval : path.next),
    ]
  }
  const names: string[] = [path.made, path.taken, path.way, path.arrived, path.settled]
  const notes = [made, taken, '', hasArrived ? arrived : '', '']
  const at = order.indexOf(state === 'cashed' ? 'posted' : state === 'hold' ? 'pending' : state)
  const stops = names.map((name, index): PathStep => {
    if (index < at) return done(name, notes[index])
    if (index > at) return ahead(name)
    if (index === 0) return done(name, notes[0])
    return here(name, notes[index] || changed)
  })
  if (state === 'pending') stops.splice(1, 0, here(wordOf(words.money, 'pending'), path.now))
  if (state === 'hold') stops.splice(1, 0, here(path.held, path.now))
  return stops
}
