/** Test helper that simulates people who choose accounts in a connect element and open other accounts later. */
import { Person, someone, verify } from './frame.js'
import type { TestService } from './service.js'

export type Account = {
  id: string
  consent_status?: string
  products: string[]
  liability: { type: string } | null
}

export const newest = { 'service-version': '2026-03-30' }
export const several = { account_filters: { selection_type: 'multiple' } }

/** Returns the first account that can be selected immediately. */
export const first = (person: Person) =>
  person.data('selection').accounts.find(account => account.status === 'ready')!.id

/** Returns actions for these people and their accounts. The actions use the latest version unless another is specified. */
export function later(service: TestService) {
  const get = (path: string, headers: Record<string, string> = newest) => service.call('GET', path, undefined, headers)
  const list = async (query: string, headers: Record<string, string> = newest) =>
    (await get(`/accounts?${query}`, headers)).body['data'] as Account[]
  /** Returns a resource's event types, oldest first. */
  const told = async (resource: string) =>
    (
      await service.store.reader
        .selectFrom('events')
        .select('type')
        .where('resource_id', '=', resource)
        .orderBy('id')
        .execute()
    ).map(row => row.type)
  /** Takes a person to the account selection in a connect element, for a new or existing entity. */
  const choosing = async (phone: string, entity?: string, connect: Record<string, unknown> = several) => {
    const of = entity ?? (await someone(service, phone))
    const token = await service.call('POST', '/elements/token', { type: 'connect', entity_id: of, connect })
    if (token.status !== 200) throw new Error(token.text)
    return {
      person: await verify(service, await Person.arrive(service, token.body['element_token'])),
      entity: of,
    }
  }
  return {
    get,
    list,
    told,
    choosing,
    waiting: (entity: string) => list(`holder_id=${entity}&consent_status=pending`),
    /** Returns the number of events that notified the customer of an entity's new accounts. */
    times: async (entity: string) =>
      (await told(entity)).filter(type => type === 'entity.new_accounts_pending_consent').length,
    /**
     * Returns the entity of a person who selected one account in a connect element and answered the question about
     * future accounts as specified.
     */
    async connected(phone: string, future_accounts: boolean) {
      const { person, entity } = await choosing(phone)
      await person.send({ action: 'select', accounts: [first(person)], future_accounts })
      await service.settle()
      person.data('done')
      return entity
    },
    /** Opens debts. If the entity has a `connect` subscription, the service then polls for the new accounts. */
    async opens(entity: string, ...kinds: string[]) {
      const behaviors = kinds.map(kind => `new_${kind}_account`)
      await service.call('POST', `/simulate/entities/${entity}/connect`, { behaviors })
      await service.settle()
    },
    enroll: (entity: string) => service.call('POST', `/entities/${entity}/subscriptions`, { enroll: 'connect' }),
  }
}
