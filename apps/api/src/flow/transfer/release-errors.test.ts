import { describe, expect, it } from 'vitest'
import { readJson, writeJson } from '../../platform/db/json.js'
import { contrasts, errorOf, rejectionOf } from '../../testing/contract/cases.js'
import { confirmed, fundingAccount, LOAN, someone, transferToken } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService()
const source = await fundingAccount(service)

const body = (from?: string) => ({ action: 'release_payments', ...(from ? { data: { source: from } } : {}) })
const set = (session: string, change: Record<string, unknown>) =>
  service.store.write(tx => tx.updateTable('sessions').set(change).where('id', '=', session).execute())
const setAccount = (id: string, change: Record<string, unknown>) =>
  service.store.write(tx => tx.updateTable('accounts').set(change).where('id', '=', id).execute())

describe.each(contrasts)('a release is rejected, $name', ({ mount, headers }) => {
  const send = (session: string, given: unknown, more: Record<string, string> = {}) =>
    service.call('POST', `${mount}/opal/sessions/${session}`, given, { ...headers, ...more })
  /** Returns the error and checks that the session did not change. */
  const rejection = async (session: string, given: unknown = body(source)) => {
    const before = await service.call('GET', `/opal/sessions/${session}`)
    const made = await service.store.reader.selectFrom('payments').select('id').execute()
    const reply = await send(session, given)
    const error = errorOf(reply.body)
    expect([reply.status, error.code, error.type]).toEqual([400, 400, 'INVALID_REQUEST'])
    expect((await service.call('GET', `/opal/sessions/${session}`)).text).toBe(before.text)
    expect(await service.store.reader.selectFrom('payments').select('id').execute()).toEqual(made)
    return error.sub_type
  }

  it('4.2.1 without a secret key: an Opal or element token returns 403, no credentials return 401', async () => {
    const { session } = await confirmed(service, '+15125550110')
    const opal = await service.call('POST', '/opal/token', { session_id: session })
    const { token } = opal.body['data'] as { token: string }
    const element = await service.call('POST', '/elements/token', { type: 'balance_transfer', session_id: session })
    for (const text of [token, element.body['element_token'] as string]) {
      const reply = await send(session, body(source), { authorization: `Bearer ${text}` })
      expect([reply.status, rejectionOf(reply)]).toEqual([403, 'FORBIDDEN'])
    }
    expect((await send(session, body(source), { authorization: '' })).status).toBe(401)
    expect((await service.call('GET', `/opal/sessions/${session}`)).body['data']['bt']['payout_status']).toBe(
      'pending_release',
    )
  })

  it('4.2.2 if the session belongs to another team: 404, as for an unknown one', async () => {
    const { session } = await confirmed(service, '+15125550110')
    const other = await service.anotherTeam()
    const authorization = `Bearer ${other.key}`
    const foreign = await send(session, body(source), { authorization })
    const nobodys = 'osess_0000000000000'
    const unknown = await send(nobodys, body(source), { authorization })
    expect(unknown.text).toContain(nobodys)
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text.replaceAll(nobodys, session)])
  })

  it('7 INVALID_MODE_CONFIG if the session has another mode', async () => {
    const entity = await someone(service, '+15125550101')
    const made = await service.call('POST', '/opal/token', { mode: 'connect', entity_id: entity })
    expect(await rejection(made.body['data']['session_id'])).toBe('INVALID_MODE_CONFIG')
  })

  it('4.2.3 before the person has confirmed', async () => {
    const { session_id } = await transferToken(service, await someone(service, '+15125550101'), LOAN)
    expect(await rejection(session_id)).toBe('BT_NO_ALLOCATIONS')
  })

  it('4.2.4 by each check, and stays pending_release until it is fixed', async () => {
    const { session, accounts, allocations } = await confirmed(service, '+15125550110', LOAN, [200_000, 100_000])
    await setAccount(accounts[0]!, { status: 'closed' })
    expect(await rejection(session)).toBe('BT_ACCOUNT_NOT_PAYABLE')
    await setAccount(accounts[0]!, { status: 'active' })
    await set(session, { allocations: JSON.stringify({ ...allocations, [accounts[0]!]: 450_000 }) })
    expect(await rejection(session)).toBe('BT_ALLOCATIONS_EXCEED_LOAN')
    await set(session, { allocations: JSON.stringify({}) })
    expect(await rejection(session)).toBe('BT_NO_ALLOCATIONS')
    await set(session, { allocations: JSON.stringify(allocations) })
    expect(await rejection(session, body())).toBe('BT_MISSING_SOURCE')
    expect((await send(session, body(source))).status).toBe(200)
  })

  it('4.2.8 for a bad source, with the same errors as creating a payment', async () => {
    const { session, accounts } = await confirmed(service, '+15125550110')
    expect(await rejection(session, body('acc_unknown'))).toBe('INVALID_SOURCE')
    expect(await rejection(session, body(accounts[0]))).toBe('INVALID_SOURCE_LIABILITY')
    const own = await fundingAccount(service, `5550${mount.length}${Object.keys(headers).length}`)
    await setAccount(own, { verified_at: null })
    expect(await rejection(session, body(own))).toBe('INVALID_SOURCE_CAPABILITIES')
    await setAccount(own, { status: 'disabled' })
    expect(await rejection(session, body(own))).toBe('INVALID_SOURCE')
    const poor = await fundingAccount(service, '1000000001')
    expect(await rejection(session, body(poor))).toBe('INSUFFICIENT_FUNDS')
    const person = await someone(service, '+15125550102')
    const unverified = await service.call('POST', '/accounts', {
      holder_id: person,
      ach: { routing: '062103000', number: '123456789', type: 'checking' },
    })
    expect(await rejection(session, body(unverified.body['id']))).toBe('INVALID_SOURCE_HOLDER')
    const other = await service.anotherTeam()
    const theirs = await fundingAccount(service, '5551', { authorization: `Bearer ${other.key}` })
    expect(theirs).toMatch(/^acc_/)
    expect(await rejection(session, body(theirs))).toBe('INVALID_SOURCE')
  })

  it('4.2.9 if the action is missing or different', async () => {
    const { session } = await confirmed(service, '+15125550110')
    for (const given of [{}, { action: 'release' }, { action: null }, { action: ['release_payments'] }]) {
      expect(await rejection(session, given)).toBe('INVALID_REQUEST')
      expect(errorOf((await send(session, given)).body).message).toBe('action must be release_payments.')
    }
    expect(await rejection(session, { ...body(), data: { source: 5 } })).toBe('INVALID_REQUEST')
    expect(await rejection(session, { ...body(), data: 'acc_1' })).toBe('INVALID_REQUEST')
  })
})

describe('a release', () => {
  const send = (session: string, given: unknown) => service.call('POST', `/opal/sessions/${session}`, given)
  const sub = async (session: string, from: string | undefined = source) => rejectionOf(await send(session, body(from)))
  const offer = (session: string, terms: Record<string, unknown>) =>
    service.call('POST', '/elements/token', { type: 'balance_transfer', session_id: session, balance_transfer: terms })

  it("4.2.10 without data.source is paid from the team's default source; without either it is rejected", async () => {
    const { session } = await confirmed(service, '+15125550110')
    for (const given of [body(), { ...body(), data: {} }, { ...body(), data: null }])
      expect(rejectionOf(await send(session, given))).toBe('BT_MISSING_SOURCE')
    await service.store.write(async tx => {
      const row = await tx
        .selectFrom('teams')
        .select('settings')
        .where('id', '=', service.team)
        .executeTakeFirstOrThrow()
      const settings = writeJson({ ...readJson('teams.settings', row.settings), default_source_account: source })
      await tx.updateTable('teams').set({ settings }).where('id', '=', service.team).execute()
    })
    service.deps.access.forget(service.team)
    const reply = await send(session, body())
    expect(reply.status).toBe(200)
    const [id] = Object.values(reply.body['data']['bt']['payment_ids'] as Record<string, string>)
    expect((await service.call('GET', `/payments/${id}`)).body).toMatchObject({ source })
    const { session: bad } = await confirmed(service, '+15125550110')
    expect(await sub(bad, 'acc_unknown')).toBe('INVALID_SOURCE')
    await service.store.write(async tx => {
      const row = await tx
        .selectFrom('teams')
        .select('settings')
        .where('id', '=', service.team)
        .executeTakeFirstOrThrow()
      const settings = writeJson({ ...readJson('teams.settings', row.settings), default_source_account: null })
      await tx.updateTable('teams').set({ settings }).where('id', '=', service.team).execute()
    })
    service.deps.access.forget(service.team)
  })

  // kills: release-needs-confirmation
  it('7 BT_NO_ALLOCATIONS before the person has confirmed, including while a draft is under review', async () => {
    const { session_id } = await transferToken(service, await someone(service, '+15125550101'), LOAN)
    expect(await sub(session_id)).toBe('BT_NO_ALLOCATIONS')
  })

  it('7 BT_MISSING_SOURCE without a source if the team has no default', async () => {
    const { session } = await confirmed(service, '+15125550110')
    expect(errorOf((await send(session, body())).body)).toEqual({
      type: 'INVALID_REQUEST',
      code: 400,
      sub_type: 'BT_MISSING_SOURCE',
      message: 'data.source is required, because the team has no default source account.',
    })
  })

  // kills: release-checks-destinations
  it('7 BT_ACCOUNT_NOT_PAYABLE if an account closed, lost its rail, or its holder was disabled; the error names it', async () => {
    const { session, accounts, entity } = await confirmed(service, '+15125550110')
    for (const change of [
      { status: 'closed' },
      { status: 'disabled' },
      { payable: 'no' },
      { payable: 'needs_number' },
    ]) {
      await setAccount(accounts[1]!, change)
      const error = errorOf((await send(session, body(source))).body)
      expect([error.sub_type, error.message.includes(accounts[1]!)]).toEqual(['BT_ACCOUNT_NOT_PAYABLE', true])
      await setAccount(accounts[1]!, { status: 'active', payable: 'yes' })
    }
    await service.store.write(tx =>
      tx.updateTable('entities').set({ status: 'disabled' }).where('id', '=', entity).execute(),
    )
    expect(await sub(session)).toBe('BT_ACCOUNT_NOT_PAYABLE')
  })

  // kills: release-amount-in-bounds
  it('7 BT_AMOUNT_OUT_OF_BOUNDS above maximum_payment and below minimum_payment', async () => {
    const { session } = await confirmed(service, '+15125550110', LOAN, [200_000, 100_000])
    await offer(session, { ...LOAN, maximum_payment: 199_999 })
    expect(await sub(session)).toBe('BT_AMOUNT_OUT_OF_BOUNDS')
    await offer(session, { ...LOAN, minimum_payment: 100_001 })
    expect(await sub(session)).toBe('BT_AMOUNT_OUT_OF_BOUNDS')
  })

  // kills: release-within-loan
  it('7 BT_ALLOCATIONS_EXCEED_LOAN if the total exceeds loan_amount by a cent', async () => {
    const { session } = await confirmed(service, '+15125550110', LOAN, [200_000, 100_000])
    await offer(session, { loan_amount: 299_999 })
    expect(await sub(session)).toBe('BT_ALLOCATIONS_EXCEED_LOAN')
  })

  it('7 BT_RESIDUAL_EXCEEDS_MAX if the remainder is a cent too large', async () => {
    const { session } = await confirmed(service, '+15125550110', LOAN, [200_000, 100_000])
    await offer(session, { ...LOAN, residual_amount_max: 199_999 })
    expect(await sub(session)).toBe('BT_RESIDUAL_EXCEEDS_MAX')
  })

  it('8 opal allocation each amount, the total and the remainder stay within their inclusive limits', async () => {
    const { session } = await confirmed(service, '+15125550110', LOAN, [200_000, 100_000])
    await offer(session, {
      loan_amount: 300_000,
      maximum_payment: 200_000,
      minimum_payment: 100_000,
      residual_amount_max: 0,
    })
    expect((await send(session, body(source))).status).toBe(200)
  })

  it("is checked in the contract's order: the first of several errors is reported", async () => {
    const { session, accounts, allocations } = await confirmed(service, '+15125550110', LOAN, [200_000, 100_000])
    await set(session, {
      completed_at: null,
      allocations: JSON.stringify({ [accounts[0]!]: 90_000_000, [accounts[1]!]: 1 }),
      config: JSON.stringify(await configWith(session, { residual_amount_max: 0 })),
    })
    await setAccount(accounts[1]!, { status: 'closed' })
    expect(await sub(session, undefined)).toBe('BT_NO_ALLOCATIONS')
    await set(session, { completed_at: 1 })
    expect(rejectionOf(await send(session, body()))).toBe('BT_MISSING_SOURCE')
    expect(await sub(session, accounts[1])).toBe('INVALID_SOURCE')
    expect(await sub(session, accounts[0])).toBe('INVALID_SOURCE_LIABILITY')
    expect(await sub(session)).toBe('BT_ACCOUNT_NOT_PAYABLE')
    await setAccount(accounts[1]!, { status: 'active' })
    expect(await sub(session)).toBe('BT_AMOUNT_OUT_OF_BOUNDS')
    await set(session, { allocations: JSON.stringify({ [accounts[0]!]: 500_000, [accounts[1]!]: 500_000 }) })
    expect(await sub(session)).toBe('BT_ALLOCATIONS_EXCEED_LOAN')
    await set(session, { allocations: JSON.stringify(allocations) })
    expect(await sub(session)).toBe('BT_RESIDUAL_EXCEEDS_MAX')
    await set(session, { config: JSON.stringify(await configWith(session, { residual_amount_max: 500_000 })) })
    const poor = await fundingAccount(service, '1000000001')
    expect(await sub(session, poor)).toBe('INSUFFICIENT_FUNDS')
    expect((await send(session, body(source))).status).toBe(200)
  })
})

async function configWith(session: string, terms: Record<string, unknown>): Promise<unknown> {
  const { config } = await service.store.reader
    .selectFrom('sessions')
    .select('config')
    .where('id', '=', session)
    .executeTakeFirstOrThrow()
  const old = JSON.parse(config) as { terms: object }
  return { ...old, terms: { ...old.terms, ...terms } }
}
