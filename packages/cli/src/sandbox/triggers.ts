import type { Sandbox } from './world.js'

interface Trigger {
  about: string
  /** Causes the event. @returns the id of the changed resource, or null if the command can't determine it */
  pull(world: Sandbox): Promise<string | null>
}

/** The events that the command can trigger, by type. */
export const triggers: Readonly<Record<string, Trigger>> = {
  'entity.create': {
    about: 'creates a person',
    pull: async ({ causeway }) => (await causeway.entities.create({ type: 'individual', individual: {} })).id,
  },
  'entity.update': {
    about: 'sets metadata on a person',
    async pull({ causeway, given }) {
      const id = given.entity ?? (await causeway.entities.create({ type: 'individual', individual: {} })).id
      return (await causeway.entities.update(id, { metadata: { triggered: new Date().toISOString() } })).id
    },
  },
  'connect.update': {
    about: 'finds the liability accounts of a person',
    async pull({ causeway, entity }) {
      return (await causeway.entities.connect.create((await entity()).id)).id
    },
  },
  'account.create': { about: 'creates an ACH account for a company', pull: async ({ source }) => (await source()).id },
  'account.update': {
    about: 'sets metadata on a liability account',
    async pull({ causeway, account }) {
      const metadata = { triggered: new Date().toISOString() }
      return (await causeway.accounts.update((await account()).id, { metadata })).id
    },
  },
  'account.opened': {
    about: 'simulates a new account for a person',
    async pull({ causeway, debts, entity }) {
      await debts()
      await causeway.simulate.events.create({ type: 'account.opened', entity_id: (await entity()).id })
      return null
    },
  },
  'account.closed': {
    about: 'simulates the closing of a liability account',
    async pull({ causeway, account }) {
      const { id } = await account()
      await causeway.simulate.events.create({ type: 'account.closed', account_id: id })
      return id
    },
  },
  'balance.update': {
    about: 'requests the balance of a liability account',
    async pull({ causeway, account }) {
      return (await causeway.accounts.balances.create((await account()).id)).id
    },
  },
  'update.update': {
    about: 'requests the details of a liability account',
    async pull({ causeway, account }) {
      return (await causeway.accounts.updates.create((await account()).id)).id
    },
  },
  'credit_score.update': {
    about: 'requests and completes a credit score',
    async pull({ causeway, entity }) {
      const { id } = await entity()
      const score = await causeway.entities.creditScores.create(id)
      const found = {
        score: 734,
        source: 'equifax',
        model: 'vantage_3',
        factors: [],
        created_at: score.created_at,
      } as const
      return (await causeway.simulate.entities.creditScore(id, score.id, { scores: [found] })).id
    },
  },
  'payment.create': {
    about: 'creates a payment to a liability account',
    pull: async ({ payment }) => (await payment()).id,
  },
  'payment.update': {
    about: 'sets a payment to processing',
    async pull({ causeway, payment }) {
      return (await causeway.simulate.payments.update((await payment()).id, { status: 'processing' })).id
    },
  },
  'opal_session.update': {
    about: 'confirms a balance transfer as the person',
    async pull({ causeway, account, entity }) {
      const { id } = await account()
      const { session_id } = await causeway.elements.token.create({
        type: 'balance_transfer',
        entity_id: (await entity()).id,
        balance_transfer: { loan_amount: 100_000, allow_over_balance: true },
      })
      return (await causeway.simulate.opal.confirm(session_id, { [id]: 10_000 })).id
    },
  },
}
