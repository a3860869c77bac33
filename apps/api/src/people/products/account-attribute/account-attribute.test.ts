import { describe, expect, it } from 'vitest'
import { resource, speaking } from '../../../testing/contract/cases.js'
import { postRejection, provenDebts, recordOf } from '../../../testing/records.js'
import { testService } from '../../../testing/service.js'

type Body = Record<string, unknown> & { id: string }

let card: string
const service = await testService()
;({ card } = await provenDebts(service))

const rejection = postRejection(service)
const newest = { 'service-version': '2026-03-30' }

describe.each(speaking)("an account's attributes, $name", ({ name, mount, headers }) => {
  const post = async (path: string, body?: unknown) =>
    resource<Body>(mount, (await service.call('POST', mount + path, body, headers)).body)
  const get = async (path: string) =>
    resource<Body>(mount, (await service.call('GET', mount + path, undefined, headers)).body)
  const old = !name.includes('2026')

  it('are returned immediately if requested by name, or later as all attributes of the type', async () => {
    const path = `/accounts/${card}/attributes`
    const made = await post(path, old ? { attributes: ['utilization', 'usage_pattern'] } : undefined)
    const fields = { id: expect.stringMatching(/^acc_attr_\w{13}$/), ...recordOf(card) }
    if (old)
      return expect(made).toEqual({
        ...fields,
        status: 'completed',
        attributes: { utilization: { value: 66.67 }, usage_pattern: { value: 'revolver' } },
      })
    expect(made).toEqual({ ...fields, status: 'in_progress', attributes: null })
    await service.settle()
    const told = await get(`${path}/${made.id}`)
    expect(told).toMatchObject({
      status: 'completed',
      attributes: {
        utilization: { value: 66.67, error: null },
        last_direct_pay_date: { value: null, error: { code: 28001 } },
      },
    })
    expect(await get(`/accounts/${card}`)).toMatchObject({ attribute: made.id })
  })
})

it('an attribute can be requested by name or bundle; names of other types are rejected', async () => {
  const path = `/accounts/${card}/attributes`
  const ask = async (body: unknown) => {
    const made = await service.call('POST', path, body, newest)
    await service.settle()
    const read = await service.call('GET', `${path}/${made.body['id']}`, undefined, newest)
    return Object.keys(read.body['attributes'])
  }
  expect(await ask({ requested_attributes: ['utilization'] })).toEqual(['utilization'])
  expect(await ask({ bundles: ['statement'] })).toContain('next_payment_due_date')
  expect(await rejection(path, { requested_attributes: ['luck'] }, newest)).toBe('INVALID_REQUEST')
  expect(await rejection(path, { attributes: ['luck'] })).toBe('INVALID_REQUEST')
})
