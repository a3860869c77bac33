import { keyScopes } from '@causeway/contract/fields/key-scopes'
import { describe, expect, it } from 'vitest'
import { consoleOf } from '../testing/console.js'
import { testService } from '../testing/service.js'
import { hideTokens } from './links.js'

const service = await testService()
const made = await service.call('POST', '/entities', { type: 'individual', individual: {} })
const entity = (made.body as { id: string }).id
const { send, signedIn } = consoleOf(service)

const token = () => ({ type: 'connect', entity_id: entity, connect: { products: [] } })
const keyed = (key: string) => ({ 'idempotency-key': key })
const stored = async () =>
  (await service.store.reader.selectFrom('idempotency').select('key').execute()).map(({ key }) => key)

describe('an idempotency key sent from the console', () => {
  // kills: console-keys-are-separate
  it("never returns the customer's response, whatever the role and the path", async () => {
    for (const scopes of [['read', 'write', 'sensitive'], ['read', 'write'], keyScopes] as const) {
      const key = `loan of ${scopes.join()}`
      const made = await service.call('POST', '/elements/token', token(), keyed(key))
      expect(made.text).toContain('pk_elem_')
      const { cookie } = await signedIn(scopes)
      for (const [path, body] of [
        ['/api/entities', { type: 'individual', individual: {} }],
        ['/api/webhooks/whk_x/deliveries/dlv_x/redeliver', {}],
        ['/api/elements/token', { ...token(), redirect_url: 'http://localhost:4000/done' }],
        ['/api/opal/token', {}],
      ] as const) {
        const reply = await send('POST', path, { cookie, body, headers: keyed(key) })
        expect([path, reply.headers.get('idempotency-replayed')]).toEqual([path, null])
        expect(reply.text).not.toMatch(/pk_elem_|otkn_/)
        expect(reply.text).not.toContain((made.body as { element_token: string }).element_token.slice(-33))
      }
    }
  })

  it("does not use up the customer's key", async () => {
    const { cookie } = await signedIn(keyScopes)
    const body = { type: 'individual', individual: {} }
    const first = await send('POST', '/api/entities', { cookie, body, headers: keyed('loan-2') })
    expect(first.headers.get('idem-status')).toBe('stored')
    expect((await send('POST', '/api/entities', { cookie, body, headers: keyed('loan-2') })).text).toBe(first.text)
    const own = await service.call('POST', '/elements/token', token(), keyed('loan-2'))
    expect([own.status, own.headers.get('idem-status')]).toEqual([200, 'stored'])
    const key = (await stored()).find(each => each.startsWith('console:'))!
    const guess = await service.call('POST', '/entities', body, keyed('console:loan-2'))
    expect([guess.headers.get('idem-status'), key.length]).toEqual(['stored', 'console:'.length + 43])
  })

  it('is shared by the users of a team, so that two of them make one change', async () => {
    const body = { type: 'individual', individual: {} }
    const post = (cookie: string) => send('POST', '/api/entities', { cookie, body, headers: keyed('loan-3') })
    const [one, two] = [await signedIn(keyScopes), await signedIn(keyScopes)]
    const first = await post(one.cookie)
    const other = await post(two.cookie)
    expect([first.body['id'] === other.body['id'], other.headers.get('idem-status')]).toEqual([true, 'replayed'])
  })

  it('reports a mismatch of its own requests', async () => {
    const { cookie } = await signedIn(keyScopes)
    const body = { type: 'individual', individual: {} }
    await send('POST', '/api/entities', { cookie, body, headers: keyed('loan-4') })
    const other = await send('POST', '/api/webhooks', { cookie, body, headers: keyed('loan-4') })
    expect([other.status, other.headers.get('idempotency-mismatch')]).toEqual([400, 'true'])
  })
})

it('a token is hidden wherever it is in a response, and a link except in the response to its own request', () => {
  const text =
    '{"a":["pk_elem_abcDEF0123",{"b":"x otkn_abcDEF0123 y"}],"hosted_url":"http://localhost:4100/h/abc#secret1"}'
  expect(hideTokens(text, false)).toBe(
    '{"a":["••••",{"b":"x •••• y"}],"hosted_url":"http://localhost:4100/h/abc#••••"}',
  )
  expect(hideTokens(text, true)).toContain('/h/abc#secret1')
})
