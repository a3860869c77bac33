import type { Account, Causeway, Entity, Payment } from '@causeway/sdk'
import { Failure } from '../io.js'

/** Ids of existing resources to use instead of creating new ones. */
export interface Targets {
  entity: string | undefined
  account: string | undefined
  payment: string | undefined
}

/** A sandbox person with four debts, all of which can be paid. */
const person = { first_name: 'Ana', last_name: 'Rivera', phone: '+15125550101', dob: '1988-04-09' }
const address = { line1: '1 Elm Street', line2: null, city: 'Austin', state: 'TX', zip: '78705' }
const ach = { routing: '062103000', number: '123456789', type: 'checking' } as const

/** The resources that triggers use. Each is created on first use, unless its id was given. */
export interface Sandbox {
  causeway: Causeway
  given: Targets
  /** A verified person. */
  entity(): Promise<Entity>
  /** The person's debts. */
  debts(): Promise<Account[]>
  /** A debt. */
  account(): Promise<Account>
  /** An ACH account that payments are drawn from. */
  source(): Promise<Account>
  /** A payment from the source account to the debt. */
  payment(): Promise<Payment>
}

/** @param say called with a line for each resource that was created */
export function createSandbox(causeway: Causeway, given: Targets, say: (line: string) => void): Sandbox {
  const once = <T>(make: () => Promise<T>) => {
    let made: Promise<T> | undefined
    return () => {
      made ??= make()
      return made
    }
  }
  const noted = async <T extends { id: string }>(what: string, making: Promise<T>): Promise<T> => {
    const made = await making
    say(`${what} ${made.id}`)
    return made
  }
  const world: Sandbox = {
    causeway,
    given,
    entity: once(async () => {
      if (given.entity !== undefined) return causeway.entities.retrieve(given.entity)
      const { id } = await noted(
        'person',
        causeway.entities.create({ type: 'individual', individual: person, address }),
      )
      const timestamp = new Date().toISOString()
      const sessions = causeway.entities.verificationSessions
      await sessions.create(id, { type: 'phone', method: 'byo_sms', byo_sms: { timestamp } })
      await sessions.create(id, { type: 'identity', method: 'kba', kba: {} })
      return causeway.entities.retrieve(id)
    }),
    debts: once(async () => {
      const { id } = await world.entity()
      const known = await causeway.accounts.list({ holder_id: id, type: 'liability' })
      if (known.data.length > 0) return known.data
      const connect = await noted('connect', causeway.entities.connect.create(id, { expand: ['accounts'] }))
      return (connect.accounts ?? []) as Account[]
    }),
    account: once(async () => {
      if (given.account !== undefined) return causeway.accounts.retrieve(given.account)
      const [first] = await world.debts()
      if (!first) throw new Failure('The person has no liability accounts. Set --account.')
      return first
    }),
    source: once(async () => {
      const company = await noted(
        'company',
        causeway.entities.create({ type: 'corporation', corporation: { name: 'Northwind' } }),
      )
      return noted('ach account', causeway.accounts.create({ holder_id: company.id, ach }))
    }),
    payment: once(async () => {
      if (given.payment !== undefined) return causeway.payments.retrieve(given.payment)
      const [source, destination] = [await world.source(), await world.account()]
      const order = { amount: 5_000, source: source.id, destination: destination.id, description: 'Trigger' }
      return noted('payment', causeway.payments.create(order))
    }),
  }
  return world
}
