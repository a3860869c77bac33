import { Causeway, createEncryptedFetch } from '@causeway/sdk'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { expect, it } from 'vitest'
import { testService } from '../../testing/service.js'

const baseUrl = 'http://127.0.0.1:4000'
/** The paths, request bodies and response bodies that the test recorded. */
const seen: { path: string; sent: string; got: string }[] = []

const travel: typeof fetch = async (input, init) => {
  const reply = await service.app.api.fetch(new Request(input, init))
  const text = await reply.clone().text()
  seen.push({ path: new URL(String(input)).pathname, sent: String(init?.body ?? ''), got: text })
  return reply
}

const service = await testService()
const pair = await generateKeyPair('RSA-OAEP-256', { extractable: true })
const shared = { kid: 'sdk', alg: 'RSA-OAEP-256', use: 'enc' } as const
const privateKey: JWK & { kid: string } = { ...(await exportJWK(pair.privateKey)), ...shared }
const plain = new Causeway({ apiKey: service.key, baseUrl, fetch: travel })
const jwk = { ...((await exportJWK(pair.publicKey)) as { kty: 'RSA'; n: string; e: string }), ...shared }
await plain.teams.publicKeys.create({ type: 'direct', contact: 'security@lender.example', jwk })
await plain.teams.setDefaultEncryptionKey('sdk')
seen.length = 0
const encrypted = createEncryptedFetch({ baseUrl, privateKey, fetch: travel })
const causeway = new Causeway({ apiKey: service.key, baseUrl, fetch: encrypted, maxRetries: 0 })

it("the client sends every body encrypted, and fetches the service's key once", async () => {
  const corporation = { name: 'Ünseen Lending' }
  const entity = await causeway.entities.create({ type: 'corporation', corporation })
  expect((await causeway.entities.retrieve(entity.id)).corporation).toMatchObject(corporation)
  const names: string[] = []
  for await (const entity of causeway.entities.list({ page_limit: 1 })) names.push(entity.id)
  expect(names).toEqual([entity.id])
  expect(seen.map(({ path }) => path)).toEqual([
    '/.well-known/jwks.json',
    '/entities',
    `/entities/${entity.id}`,
    '/entities',
  ])
  for (const { sent, got } of seen.slice(1)) {
    expect(sent === '' || /^\{"encrypted":"[\w.-]+"\}$/.test(sent)).toBe(true)
    expect(got).toMatch(/^\{"encrypted":"[\w.-]+"\}$/)
  }
})

it('the client throws a rejection as usual, whether encrypted or in plain text', async () => {
  await expect(causeway.entities.retrieve('ent_0000000000000')).rejects.toMatchObject({
    sub_type: 'NOT_FOUND',
    code: 404,
  })
  const other = createEncryptedFetch({ baseUrl, privateKey: { ...privateKey, kid: 'gone' }, fetch: travel })
  const stranger = new Causeway({ apiKey: service.key, baseUrl, fetch: other, maxRetries: 0 })
  await expect(stranger.secrets.create({ value: 'x' })).rejects.toMatchObject({
    sub_type: 'INVALID_REQUEST',
    message: expect.stringMatching(/^cid of encrypted/),
  })
})

it('the client returns a file unchanged', async () => {
  const report = await causeway.reports.create({ type: 'ach.pull.upcoming' })
  expect(await causeway.reports.download(report.id)).toMatch(/^payment_id,/)
})
