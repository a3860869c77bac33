import { endpointsByPath } from '@causeway/connector/methods/contract'
import { accountMethods } from '@causeway/contract/methods/of-accounts'
import { describe, expect, it } from 'vitest'
import { methods } from '../../people/accounts/methods/registry.js'
import { offers } from '../../people/products/registry.js'
import { createServedRoutes, routeAll } from '../providers/routing.js'
import { createCapabilities, describeCapabilities } from './capabilities.js'
import { allNeeds } from './needs.js'

const only = (...paths: string[]) => new Map(paths.map(path => [path, 'bank']))
const namesOf = (kind: string) => allNeeds.flatMap(each => (each.kind === kind ? [each.name] : []))

describe('the needs', () => {
  it('cover every product, subscription and verification method that the service has', () => {
    for (const { holder, name, subscriptions } of offers) {
      expect(namesOf(`${holder}_product`)).toContain(name)
      for (const subscription of subscriptions) expect(namesOf(`${holder}_subscription`)).toContain(subscription.name)
    }
    expect(namesOf('account_method').sort()).toEqual(accountMethods.map(({ name }) => name).sort())
    expect(namesOf('account_method').sort()).toEqual(Object.keys(methods).sort())
  })

  it('name every method of the contract that is not optional, and no other', () => {
    const named = new Set<string>(allNeeds.flatMap(({ paths }) => paths))
    const required = [...endpointsByPath].filter(([, { method }]) => method.absent === undefined)
    expect([...named]).toEqual(expect.arrayContaining(required.map(([path]) => path)))
    expect([...endpointsByPath.keys()]).toEqual(expect.arrayContaining([...named]))
  })
})

describe('what is available', () => {
  it('is everything if every method is served', () => {
    expect(describeCapabilities(routeAll('sandbox')).filter(({ reason }) => reason !== null)).toEqual([])
  })

  it('depends on the methods that are served, and has their providers', () => {
    const byName = (kind: string, name: string) =>
      describeCapabilities(only('network/balance', 'identity/send_code', 'identity/check_code')).find(
        each => each.kind === kind && each.name === name,
      )
    expect(byName('account_product', 'balance')).toMatchObject({ reason: null, providers: ['bank'] })
    expect(byName('entity_method', 'sms')).toMatchObject({ reason: null })
    expect(byName('entity_method', 'byo_sms')).toMatchObject({ reason: null, providers: [] })
    expect(byName('entity_method', 'sna')).toMatchObject({
      reason: 'sna is not available: no provider in PROVIDERS serves identity/begin_sna and identity/check_sna.',
      providers: [],
    })
    expect(byName('mode', 'identity_verification')!.reason).toContain('identity/match and identity/questions')
  })

  it("follows the list of the operator's connector", () => {
    let paths: ReadonlySet<string> | null = null
    const { missing, list } = createCapabilities(createServedRoutes(routeAll('connector'), () => paths))
    expect(missing('entity_product', 'credit_score')).toBeNull()
    paths = new Set(['network/balance'])
    expect(missing('entity_product', 'credit_score')).toContain('network/credit_score')
    expect(missing('account_product', 'balance')).toBeNull()
    expect(list().filter(({ reason, providers }) => reason === null && providers.length > 0)).toMatchObject([
      { name: 'balance' },
    ])
  })

  it('is not asked for a name that has no entry', () => {
    const { missing } = createCapabilities(() => routeAll('sandbox'))
    expect(() => missing('mode', 'none')).toThrow('needs.ts has no mode none.')
  })
})
