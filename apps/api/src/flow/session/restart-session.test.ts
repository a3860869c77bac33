import { describe, expect, it } from 'vitest'
import { atAllocation, atSelection, LOAN, Person, someone, verify } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService()

const moveClock = (advance: string) => service.call('POST', '/simulate/clock', { advance })
const records = async (holder: string, product: string): Promise<number> =>
  (
    await service.store.reader
      .selectFrom('records')
      .select('id')
      .where('holder_id', '=', holder)
      .where('product', '=', product)
      .execute()
  ).length
const connects = (entity: string) => records(entity, 'connect')
const reason = (person: Person) => person.data('blocked').reason

/** Takes a person with a new token through consent and verification, until the accounts are found or the flow ends. */
async function arrive(entity: string, type: 'connect' | 'balance_transfer' = 'connect'): Promise<Person> {
  const config = type === 'connect' ? {} : { balance_transfer: LOAN }
  const made = await service.call('POST', '/elements/token', { type, entity_id: entity, ...config })
  return verify(service, await Person.arrive(service, made.body['element_token']))
}

describe('with a new token', () => {
  it.each(['connect', 'balance_transfer'] as const)(
    'a %s that found no accounts searches again once a day, and finds accounts opened since',
    async type => {
      const entity = await someone(service, '+15125550105')
      const first = await arrive(entity, type)
      expect(reason(first)).toBe('no_accounts')
      const opened = { behaviors: ['new_credit_card_account'] }
      expect((await service.call('POST', `/simulate/entities/${entity}/connect`, opened)).status).toBe(200)
      const same = await arrive(entity, type)
      expect([reason(same), await connects(entity)]).toEqual(['no_accounts', 1])
      await moveClock('P1D')
      const later = await arrive(entity, type)
      expect(later.data('selection').accounts).toHaveLength(1)
      expect(await connects(entity)).toBe(2)
      const goesOn = await arrive(entity, type)
      expect([goesOn.data('selection').accounts.length, await connects(entity)]).toEqual([1, 2])
    },
  )

  it('a credit file that is too thin is requested again the next day, and a frozen one immediately', async () => {
    const thin = await someone(service, '+15125550106')
    expect([reason(await arrive(thin)), reason(await arrive(thin))]).toEqual(['thin_file', 'thin_file'])
    expect(await connects(thin)).toBe(1)
    await moveClock('P1D')
    expect([reason(await arrive(thin)), await connects(thin)]).toEqual(['thin_file', 2])
    const frozen = await someone(service, '+15125550107')
    expect([reason(await arrive(frozen)), reason(await arrive(frozen))]).toEqual(['credit_freeze', 'credit_freeze'])
    expect(await connects(frozen)).toBe(2)
  })

  it('balances more than a day old are requested again, once', async () => {
    const { person, session } = await atAllocation(service, '+15125550110')
    const [first] = person.data('allocation').accounts
    const updates = () => records(first!.id, 'update')
    const before = await updates()
    const come = async () => {
      const made = await service.call('POST', '/elements/token', { type: 'balance_transfer', session_id: session })
      const late = await Person.arrive(service, made.body['element_token'])
      await late.wait()
      return late
    }
    expect([(await come()).view.step, await updates()]).toEqual(['allocation', before])
    await moveClock('P20D')
    const late = await come()
    const again = late.data('allocation').accounts.find(account => account.id === first!.id)
    expect(again!.balance_as_of!.slice(0, 10)).toBe(late.view.now.slice(0, 10))
    expect(await updates()).toBe(before + 1)
    await moveClock('PT23H50M')
    const [stays] = await Promise.all([come(), come()])
    await moveClock('PT14M')
    // A balance's age is measured when the person arrives, so no amount changes while they are choosing.
    expect([(await stays.look()).step, await updates()]).toEqual(['allocation', before + 1])
    await Promise.all([come(), come()])
    expect(await updates()).toBe(before + 2)
  })

  it('an unavailable balance is not requested again within an hour', async () => {
    const { person, session } = await atSelection(service, '+15125550109')
    const third = person.data('selection').accounts.find(account => account.balance === null)!
    const updates = () => records(third.id, 'update')
    const come = async () => {
      const made = await service.call('POST', '/elements/token', { type: 'balance_transfer', session_id: session })
      await (await Person.arrive(service, made.body['element_token'])).wait()
    }
    await moveClock('P2D')
    await come()
    const asked = await updates()
    await come()
    expect(await updates()).toBe(asked)
    await moveClock('PT1H')
    await come()
    expect(await updates()).toBe(asked + 1)
  })

  it('a request that got no response is silently retried', async () => {
    const entity = await someone(service, '+15125550103')
    const token = await service.call('POST', '/elements/token', { type: 'connect', entity_id: entity })
    await service.store.write(tx =>
      tx
        .updateTable('entities')
        .set({ phone_verified_at: 1, phone_proved_at: service.deps.clock() })
        .where('id', '=', entity)
        .execute(),
    )
    const late = await Person.arrive(service, token.body['element_token'])
    await service.fault('identity', 'failing')
    await late.consent()
    expect(reason(late)).toBe('unavailable')
    service.advance(31_000)
    const again = await service.call('POST', '/elements/token', { type: 'connect', entity_id: entity })
    expect((await Person.arrive(service, again.body['element_token'])).view.step).toBe('details')
  })
})
