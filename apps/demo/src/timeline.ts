import { type OpalSession, type Payment, releaseOutcome } from '@causeway/sdk'
import type { Application, TokenRecord } from './applications.js'
import { type Debt, nameOf } from './debts.js'
import type { Network } from './network.js'
import { money } from './views/format.js'

/** One line in a loan's history. */
export interface Moment {
  at: string | Date
  text: string
}

/** Descriptions of the token events that matter to the staff. Other events are omitted. */
const words: Record<string, (data: Record<string, unknown>) => string> = {
  'opal.session.started': () => 'The borrower opened the flow',
  'identity_verification.identity.completed': () => 'The borrower’s identity was verified',
  'identity_verification.identity.denied': () => 'The visitor said that they are not the borrower',
  'connect.flow.completed': ({ accounts }) => `The borrower linked ${count(accounts as string[], 'account')}`,
  'balance_transfer.allocations.confirmed': ({ allocations }) =>
    `The borrower confirmed ${total(allocations as Record<string, number>)}`,
  'balance_transfer.loan.requested': ({ loan_amount }) =>
    `The borrower asked for ${money(loan_amount as number)} instead`,
  'opal.session.exited': () => 'The borrower left before finishing',
}

const purposes: Record<TokenRecord['purpose'], string> = {
  connect: 'A token to link accounts was created',
  transfer: 'A token to choose the payments was created',
}

const count = (list: readonly unknown[], noun: string): string =>
  `${list.length} ${noun}${list.length === 1 ? '' : 's'}`

function total(allocations: Record<string, number>): string {
  const amounts = Object.values(allocations)
  return `${money(amounts.reduce((sum, amount) => sum + amount, 0))} to ${count(amounts, 'account')}`
}

interface Facts {
  application: Application
  session: OpalSession | null
  debts: readonly Debt[]
  payments: readonly Payment[]
}

/**
 * Collects a loan's history from the application, its tokens, its session and its payments. Token times come from this
 * server, and all other times come from the service's sandbox clock, which can be advanced. The history therefore
 * follows the steps of the process and is not sorted by time.
 */
export async function timelineOf(
  network: Network,
  { application, session, debts, payments }: Facts,
): Promise<Moment[]> {
  const [tokens, moves] = await Promise.all([
    Promise.all(application.tokens.map(async token => ({ token, events: await network.eventsOfToken(token) }))),
    Promise.all(payments.map(async payment => ({ payment, events: await network.eventsOfPayment(payment.id) }))),
  ])
  const released = session?.bt?.released_at
  return [
    { at: application.created_at, text: 'Application received' },
    ...tokens.flatMap(({ token, events }) => [
      { at: token.created_at, text: purposes[token.purpose] },
      ...events.flatMap(({ type, timestamp, metadata }) => {
        const say = words[type]
        return say ? [{ at: timestamp, text: say(metadata ?? {}) }] : []
      }),
    ]),
    ...(session && released
      ? [
          { at: released, text: 'The loan was released' },
          ...releaseOutcome(session).failed.map(({ account, amount }) => ({
            at: released,
            text: `${money(amount)} to ${nameOf(account, debts)}: not made`,
          })),
        ]
      : []),
    ...moves
      .flatMap(({ payment, events }) =>
        events.flatMap(({ data, created_at }) => {
          const to = nameOf(String(payment.destination), debts)
          const status = data.status?.replaceAll('_', ' ')
          return status ? [{ at: created_at, text: `${money(payment.amount)} to ${to}: ${status}` }] : []
        }),
      )
      .sort((a, b) => a.at.localeCompare(b.at)),
  ]
}
