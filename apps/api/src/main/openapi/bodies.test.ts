/**
 * Checks that the service enforces the OpenAPI document's limits. The enforced limits and the document come from the
 * same declaration.
 */
import { readFileSync } from 'node:fs'
import { errors } from '@causeway/contract/errors'
import { team } from '@causeway/contract/resources/team'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { errorOf } from '../../testing/contract/cases.js'
import { testService } from '../../testing/service.js'
import { describeApi } from './document.js'

const service = await testService()

interface Operation {
  requestBody: { content: { 'application/json': { schema: object } } }
}
const { post } = describeApi('https://api.example').paths['/entities'] as unknown as { post: Operation }
const { schema } = post.requestBody.content['application/json']
const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)

const individual = (fields: object) => ({ type: 'individual', individual: fields })
const address = (fields: object) => ({ ...individual({}), address: fields })
const corporation = (name: string) => ({ type: 'corporation', corporation: { name } })

const send = async (body: object) =>
  (await service.call('POST', '/entities', body, { 'service-version': '2026-03-30' })).status

it.each([
  ['an empty first name', individual({ first_name: '' })],
  ['a blank first name', individual({ first_name: '  ' })],
  ['a first name of 101 characters', individual({ first_name: 'x'.repeat(101) })],
  ['a first line of 201 characters', address({ line1: 'x'.repeat(201) })],
  ['an empty city', address({ city: '' })],
  ['a blank name of a corporation', corporation('  ')],
])('%s is rejected by the document and by the service', async (_name, body) => {
  expect([validate(body), await send(body)]).toEqual([false, 400])
})

it.each([
  ['a first name of 100 characters', individual({ first_name: 'x'.repeat(100) })],
  ['a first line of 200 characters', address({ line1: 'x'.repeat(200) })],
  ['a name of a corporation of 100 characters', corporation('x'.repeat(100))],
])('%s is accepted by both', async (_name, body) => {
  expect([validate(body), await send(body)]).toEqual([true, 200])
})

it('describes in words a date of birth in the future, which no schema can express', async () => {
  expect(await send(individual({ dob: '2999-01-01' }))).toBe(400)
  expect(JSON.stringify(schema)).toContain('A date in the past, after 1900-01-01')
})

it("a description's limit is the same in the service, the document, the error, the SDK and the guide", async () => {
  const limit = async (longest: number) => {
    const answer = await service.call('PATCH', '/team', { payment_description: 'x'.repeat(longest + 1) })
    expect(errorOf(answer.body).message).toBe(`payment_description must be at most ${longest} characters long.`)
    return (await service.call('PATCH', '/team', { payment_description: 'x'.repeat(longest) })).status
  }
  expect(await limit(10)).toBe(200)
  const { paths } = describeApi('https://api.example')
  const bodyOf = (operation: unknown) =>
    (operation as Operation).requestBody.content['application/json'].schema as { properties: Record<string, object> }
  expect(bodyOf(paths['/team']!['patch']).properties['payment_description']).toMatchObject({ maxLength: 10 })
  const { description } = bodyOf(paths['/payments']!['post']).properties
  expect(description).toMatchObject({ maxLength: 10, description: expect.stringContaining('At most 10 characters') })
  const read = (path: string) => readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8')
  const { message } = errors.INVALID_ACH_DESCRIPTION
  expect(message).toContain('at most 10 characters')
  expect(read('docs/guides/troubleshooting.md')).toContain(message)
  expect(read('packages/sdk/src/contract.gen.ts')).toContain(`/** ${team.shape.payment_description.description} */`)
})
