import {
  type Causeway,
  CausewayError,
  type EventOf,
  type OpalSession,
  type Payment,
  releaseOutcome,
  type TokenResults,
} from '@causeway/sdk'
import type { Application, Applications, RestReport, TokenRecord } from './applications.js'
import { type Debt, debtObjects, readDebt } from './debts.js'
import { termsFor } from './loan.js'

/** Makes all the calls to the service that an application requires. */
export function createNetwork(causeway: Causeway, applications: Applications, now: () => Date) {
  // An application's first token creates its session. Two simultaneous clicks must not create two sessions.
  const opening = new Map<string, Promise<unknown>>()

  /** Stores a token's handle, which is used later to read the token's events. */
  function remember(application: Application, purpose: TokenRecord['purpose'], element_token: string): string {
    const handle = element_token.slice('pk_elem_'.length).slice(0, 16)
    const token = { handle, purpose, created_at: now().toISOString() }
    applications.change(application, { tokens: [...application.tokens, token] })
    return element_token
  }

  async function openSession(application: Application): Promise<string> {
    const { element_token, session_id } = await causeway.elements.token.create({
      type: 'balance_transfer',
      entity_id: application.entity_id,
      balance_transfer: { ...termsFor(application.loan_amount), products: ['balance'] },
    })
    applications.change(application, { session_id })
    return remember(application, 'transfer', element_token)
  }

  return {
    async connectToken(application: Application): Promise<string> {
      const { element_token } = await causeway.elements.token.create({
        type: 'connect',
        entity_id: application.entity_id,
        connect: { products: ['balance'] },
      })
      return remember(application, 'connect', element_token)
    },

    /**
     * Creates a token each time the element requests one, because a token can be used only once. All tokens for an
     * application's transfer open the same session.
     */
    async transferToken(application: Application): Promise<string> {
      const pending = opening.get(application.id)
      if (pending) await pending.catch(() => {})
      if (application.session_id === null) {
        const token = openSession(application)
        opening.set(application.id, token)
        return token.finally(() => opening.delete(application.id))
      }
      const { element_token } = await causeway.elements.token.create({
        type: 'balance_transfer',
        session_id: application.session_id,
      })
      return remember(application, 'transfer', element_token)
    },

    /** Returns a link to the borrower's own page, where they see what they share with this lender and can stop it. */
    async manageUrl({ entity_id }: Application, redirect_url: string): Promise<string> {
      const { hosted_url } = await causeway.opal.token.create({ mode: 'manage', entity_id, redirect_url })
      return hosted_url!
    },

    /** Returns the debts that the borrower linked. */
    async debts(application: Application): Promise<Debt[]> {
      const page = await causeway.accounts.list({
        holder_id: application.entity_id,
        type: 'liability',
        status: 'active',
        expand: debtObjects,
      })
      return page.data.map(readDebt)
    },

    /**
     * Reads the session from the service, because a report from the browser can't be trusted. Returns null if there is
     * no session yet.
     */
    session: async (application: Application): Promise<OpalSession | null> =>
      application.session_id === null ? null : causeway.opal.sessions.retrieve(application.session_id),

    async payments(application: Application): Promise<Payment[]> {
      const page = await causeway.payments.list({ destination_holder_id: application.entity_id })
      return page.data
    },

    /** Returns a token's events, which are the borrower's actions in the flow. */
    eventsOfToken: async ({ handle }: TokenRecord): Promise<TokenResults['events']> =>
      (await causeway.elements.token.results(handle)).events,

    /** Returns a payment's events, oldest first. */
    async eventsOfPayment(id: string): Promise<EventOf<'payment'>[]> {
      const events: EventOf<'payment'>[] = []
      for await (const event of await causeway.events.list({ resource_id: id }))
        if (event.resource_type === 'payment') events.unshift(event)
      return events
    },

    release: (session_id: string, source: string): Promise<OpalSession> =>
      causeway.opal.sessions.release(session_id, { source }),

    /**
     * Pays the accounts that the release did not pay. Each payment's metadata contains the session id, so that the
     * borrower's page can find the payment. The idempotency key contains the session, the account and the attempt, so a
     * double click pays only once.
     */
    async payRest(
      session: OpalSession,
      payments: readonly Payment[],
      source: string,
      attempt: number,
    ): Promise<RestReport> {
      const report: RestReport = { attempt, made: [], refused: [] }
      for (const { account, amount } of unpaidOf(session, payments)) {
        const params = {
          amount,
          source,
          destination: account,
          description: 'Northwind',
          metadata: { session_id: session.id },
        }
        try {
          await causeway.payments.create(params, { idempotencyKey: `rest-${session.id}-${account}-${attempt}` })
          report.made.push({ account, amount })
        } catch (error) {
          const isRefusal = error instanceof CausewayError && error.type === 'INVALID_REQUEST'
          if (!isRefusal || error.sub_type.startsWith('IDEMPOTENCY')) throw error
          report.refused.push({ account, amount, sub_type: error.sub_type, message: error.message })
        }
      }
      // The service stores a rejection under the request's idempotency key, so the next attempt needs new keys.
      return report.refused.length > 0 ? { ...report, attempt: attempt + 1 } : report
    },

    /** Advances the sandbox's clock and runs everything that is due. */
    passTime: (duration: string): Promise<unknown> => causeway.simulate.clock.advance(duration),
  }
}
export type Network = ReturnType<typeof createNetwork>

const lostStatuses: readonly Payment['status'][] = [
  'failed',
  'canceled',
  'reversal_required',
  'reversal_processing',
  'reversed',
  'partial_reversal_processing',
  'partially_reversed',
]

/** True if a payment was not made, or if at least part of it was returned. */
export const isLost = (payment: Payment | null): boolean => payment === null || lostStatuses.includes(payment.status)

/**
 * Returns each allocated account's payment; null if there is none. It was created by the release or by a later attempt,
 * which has the same amount and the session's id.
 */
export function paymentsOf(session: OpalSession | null, payments: readonly Payment[]): Record<string, Payment | null> {
  return Object.fromEntries(
    Object.entries(session?.bt?.payment_ids ?? {}).map(([account, id]) => {
      const made = payments.filter(
        payment =>
          payment.id === id ||
          (payment.destination === account &&
            payment.amount === session?.bt?.allocations[account] &&
            payment.metadata?.['session_id'] === session.id),
      )
      return [account, made.find(payment => !isLost(payment)) ?? made[0] ?? null]
    }),
  )
}

/** Returns the accounts that the release failed to pay and that remain unpaid. */
export const unpaidOf = (session: OpalSession, payments: readonly Payment[]) =>
  releaseOutcome(session).failed.filter(({ account }) => isLost(paymentsOf(session, payments)[account] ?? null))

/**
 * Returns the borrower's confirmed amounts in cents, keyed by account; null if there are none or if they exceed the
 * loan.
 */
export function confirmedAmounts(session: OpalSession | null, application: Application): Record<string, number> | null {
  if (!session?.bt?.completed || session.mode !== 'balance_transfer') return null
  const amounts = Object.values(session.bt.allocations)
  const total = amounts.reduce((sum, amount) => sum + amount, 0)
  return total > 0 && total <= application.loan_amount ? session.bt.allocations : null
}
