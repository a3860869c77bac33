import type { Provider } from '@causeway/connector/provider/provider'
import { describe, expect, it } from 'vitest'
import { routeMethods } from './routing.js'

const declare = (paths: string[], persons?: 'own' | 'any') =>
  ({
    provides: Object.fromEntries(paths.map(path => [path, async () => null])),
    capabilities: () => ({ persons, without: ['network/vouch'] }),
  }) as unknown as Provider
const declared = {
  codes: declare(['identity/send_code', 'identity/check_code', 'identity/match'], 'any'),
  bank: declare([
    'rail/submit',
    'rail/accepts',
    'rail/cancel',
    'rail/status',
    'rail/reverse',
    'rail/reversal',
    'network/deposit',
    'network/vouch',
  ]),
  linker: declare(['network/discover', 'network/link', 'network/linked', 'network/unlink'], 'any'),
  bureau: declare(['network/discover', 'identity/match'], 'own'),
}
const route = (names: string[], overrides: Record<string, string> = {}) =>
  routeMethods({
    names,
    overrides: new Map(Object.entries(overrides)),
    providers: Object.entries(declared).map(([name, provider]) => ({ provider: { ...provider, name }, settings: {} })),
  })
const providerOf = (routes: ReturnType<typeof route>, path: string) => {
  if ('problem' in routes) throw new Error(routes.problem)
  return routes.get(path)
}

describe('each method goes to', () => {
  it('the first provider that serves it', () => {
    const routes = route(['codes', 'bank', 'sandbox'])
    expect(providerOf(routes, 'identity/send_code')).toBe('codes')
    expect(providerOf(routes, 'rail/submit')).toBe('bank')
    expect(providerOf(routes, 'network/balance')).toBe('sandbox')
  })

  it('no provider if none serves it', () => {
    expect(providerOf(route(['codes', 'bank']), 'network/balance')).toBeUndefined()
  })

  it('another provider if the settings of the first one turn it off', () => {
    expect(providerOf(route(['bank']), 'network/vouch')).toBeUndefined()
    expect(providerOf(route(['bank', 'sandbox']), 'network/vouch')).toBe('sandbox')
  })

  it('the provider that PROVIDE names', () => {
    expect(providerOf(route(['bank', 'sandbox'], { 'network/deposit': 'sandbox' }), 'network/deposit')).toBe('sandbox')
  })

  it('the provider that discovers, if institutions are linked', () => {
    const links = ['network/link', 'network/linked', 'network/unlink']
    const providersOf = (names: string[]) => links.map(path => providerOf(route(names), path))
    expect(providersOf(['linker', 'sandbox'])).toEqual(['linker', 'linker', 'linker'])
    expect(providersOf(['sandbox', 'linker'])).toEqual([undefined, undefined, undefined])
    expect(providersOf(['sandbox'])).toEqual([undefined, undefined, undefined])
  })

  it('the provider of its group, even if an earlier one serves it', () => {
    const routes = route(['bank', 'sandbox'], { 'rail/submit': 'sandbox' })
    expect(providerOf(routes, 'rail/status')).toBe('sandbox')
  })

  it('the provider that discovers debts, if people are found only by its own ids', () => {
    expect(providerOf(route(['codes', 'bureau']), 'identity/match')).toBe('bureau')
    expect(providerOf(route(['codes', 'sandbox']), 'identity/match')).toBe('sandbox')
    expect(providerOf(route(['codes', 'sandbox']), 'identity/questions')).toBe('sandbox')
  })

  it('another provider that PROVIDE names, because a connector may discover no debts', () => {
    expect(providerOf(route(['codes', 'connector']), 'identity/match')).toBe('connector')
    expect(providerOf(route(['codes', 'connector'], { 'identity/match': 'codes' }), 'identity/match')).toBe('codes')
  })
})

describe('settings that contradict each other are rejected:', () => {
  it.each([
    [{ 'rail/pay': 'bank' }, /^PROVIDE names rail\/pay, which is not a method/],
    [{ 'rail/submit': 'other' }, /names a provider that is not in PROVIDERS/],
    [{ 'network/balance': 'bank' }, /bank does not serve network\/balance/],
    [{ 'network/vouch': 'bank' }, /bank does not serve network\/vouch/],
    [{ 'rail/status': 'sandbox' }, /rail\/status must have the same provider as rail\/submit/],
    [{ 'identity/match': 'codes' }, /sandbox finds debts only for the people that it matched/],
  ])('%j', (overrides, problem) => {
    expect(route(['codes', 'bank', 'sandbox'], overrides)).toEqual({ problem: expect.stringMatching(problem) })
  })
})
