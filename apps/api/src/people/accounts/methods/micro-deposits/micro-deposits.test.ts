import { describe, expect, it } from 'vitest'
import { contrasts, rejectionOf, resource, timestamp } from '../../../../testing/contract/cases.js'
import { testService } from '../../../../testing/service.js'
import { accountSessions, isLimited, usedAttempts } from '../../../../testing/verification.js'

type Body = Record<string, unknown> & { id: string }

const service = await testService()

const { sessions, begin, put, read, bank } = accountSessions(service)

describe('a bank account', () => {
  it.each(contrasts)('is verified by the amounts of two deposits, $name', async ({ mount, headers }) => {
    const account = await bank('1000000009')
    expect(await read(account)).toMatchObject({ products: [], restricted_products: ['payment'] })
    const path = mount + sessions(account)
    const call = async (method: string, at: string, body?: unknown) =>
      resource<Body>(mount, (await service.call(method, at, body, headers)).body)
    const begun = await call('POST', path, { type: 'micro_deposits' })
    expect(begun).toEqual({
      id: expect.stringMatching(/^avf_\w{13}$/),
      account_id: account,
      status: 'pending',
      type: 'micro_deposits',
      micro_deposits: { amounts: [] },
      error: null,
      created_at: expect.stringMatching(timestamp),
      updated_at: expect.stringMatching(timestamp),
    })
    await service.settle()
    expect(await call('GET', `${path}/${begun.id}`)).toMatchObject({ status: 'in_progress' })
    const { amounts } = (await call('GET', `${mount}/simulate${sessions(account)}/${begun.id}/amounts`)) as never as {
      amounts: [number, number]
    }
    expect(await call('GET', `${path}/${begun.id}/amounts`)).toEqual({ amounts })
    for (const amount of amounts) expect(amount).toBeGreaterThanOrEqual(20)
    for (const amount of amounts) expect(amount).toBeLessThanOrEqual(99)
    expect(amounts[0]).not.toBe(amounts[1])
    const wrong = await call('PUT', `${path}/${begun.id}`, { micro_deposits: { amounts: [amounts[0], 1] } })
    expect(wrong).toMatchObject({ status: 'in_progress', micro_deposits: { amounts: [] }, error: { code: 16002 } })
    const right = await call('PUT', `${path}/${begun.id}`, { micro_deposits: { amounts: [...amounts].reverse() } })
    expect(right).toMatchObject({ status: 'verified', micro_deposits: { amounts }, error: null })
    expect(await read(account)).toMatchObject({ products: ['payment'], latest_verification_session: begun.id })
    expect(rejectionOf(await begin(account, 'micro_deposits'))).toBe('EXISTING_VERIFIED_SESSION')
  })

  it('fails verification after five wrong amounts, or if it returns deposits immediately', async () => {
    const account = await bank('1000000009')
    const id = (await begin(account, 'micro_deposits')).body['id']
    const wrong = () => put(account, id, { micro_deposits: { amounts: [1, 2] } })
    for (let tries = 0; tries < 4; tries++) await wrong()
    expect((await wrong()).body).toMatchObject({ status: 'failed', error: { code: 16003 } })
    expect(rejectionOf(await wrong())).toBe('INVALID_VERIFICATION_STATUS')
    const other = await bank('1000000010')
    const refused = (await begin(other, 'micro_deposits')).body['id']
    await service.settle()
    expect((await service.call('GET', `${sessions(other)}/${refused}`)).body).toMatchObject({
      status: 'failed',
      error: { code: 16004, sub_type: 'MICRO_DEPOSITS_FAILED' },
    })
    expect((await begin(other, 'micro_deposits')).status).toBe(200)
  })
})

describe('micro-deposits', () => {
  const failed = async (account: string) => {
    const { id } = (await begin(account, 'micro_deposits')).body
    await service.settle()
    for (let tries = 0; tries < 5; tries++)
      await service.call('PUT', `${sessions(account)}/${id}`, { micro_deposits: { amounts: [1, 2] } })
  }

  // kills: deposits-are-limited
  it('are sent to an account at most three times a day', async () => {
    const account = await bank('1000000009')
    for (let session = 0; session < 3; session++) await failed(account)
    isLimited(await begin(account, 'micro_deposits'))
    const { body } = await service.call('GET', sessions(account))
    expect(body['data']).toHaveLength(3)
    await service.call('POST', '/simulate/clock', { advance: 'P1D' })
    expect((await begin(account, 'micro_deposits')).status).toBe(200)
  })

  it('are not counted while another session is still open', async () => {
    const account = await bank('1000000009')
    await begin(account, 'micro_deposits')
    const before = await usedAttempts(service, 'deposits')
    for (let times = 0; times < 4; times++)
      expect(rejectionOf(await begin(account, 'micro_deposits'))).toBe('EXISTING_VERIFICATION_SESSION')
    expect(await usedAttempts(service, 'deposits')).toBe(before)
  })
})
