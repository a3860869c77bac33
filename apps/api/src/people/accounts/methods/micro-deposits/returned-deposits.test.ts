import { provider } from '@causeway/connector/provider/provider'
import { DAY_MS } from '@causeway/contract/time'
import { beforeEach, describe, expect, it } from 'vitest'
import { hookPath } from '../../../../network/providers/hooks.js'
import { type Scope, transact } from '../../../../platform/scope.js'
import { hideAccount } from '../../../../privacy/account.js'
import { Person, someone, verify } from '../../../../testing/frame.js'
import { testService } from '../../../../testing/service.js'
import { accountSessions } from '../../../../testing/verification.js'
import { lockAccount, lockEntity } from '../../../holders/store.js'
import { shareAccounts } from '../../../lifecycle/new-account.js'
import { lockVerification, updateVerification } from '../../verification.js'

/** The verification sessions whose deposits the bank returned, and the times at which it was asked about each. */
const returned = new Set<string>()
const checks = new Map<string, number[]>()

const bank = provider({
  name: 'bank',
  title: 'Bank',
  settings: {},
  hosts: () => ['https://bank.example'],
  environment: () => 'any',
  provides: {
    async 'network/deposit'({ link }, { request_id, now }) {
      await link(`transfer_${request_id}`, { kind: 'session', id: request_id })
      return { status: 'sent', next_at: now + DAY_MS }
    },
    async 'network/deposit_status'(_, { request_id, now }) {
      const times = [...(checks.get(request_id) ?? []), now]
      checks.set(request_id, times)
      if (returned.has(request_id)) return { status: 'returned', code: 'R03' }
      return { status: 'sent', next_at: times.length < 3 ? now + DAY_MS : null }
    },
  },
  outcomes: { 'network/deposit': { find: async () => ({ known: false }), duplicates: 'never' } },
  hooks: { verify: async () => true, read: ({ body }) => JSON.parse(body.toString()) },
  capabilities: () => ({}),
  async *check() {},
  proven: { level: 'emulator', on: '2026-11-29' },
})
const service = await testService({ providers: { list: [{ provider: bank, settings: {} }], fetch } })
const { sessions, begin, put, bank: addAccount } = accountSessions(service)
beforeEach(() => {
  returned.clear()
  checks.clear()
})

async function start() {
  const account = await addAccount('1000000009')
  const { id } = (await begin(account, 'micro_deposits')).body as { id: string }
  await service.settle()
  const path = `${sessions(account)}/${id}`
  const read = async () => (await service.call('GET', path)).body
  const amounts = async () => (await service.call('GET', `${path}/amounts`)).body['amounts'] as number[]
  return { account, id, read, amounts }
}

const pass = async (days: number) => {
  await service.call('POST', '/simulate/clock', { advance: `P${days}D` })
  await service.settle()
}

let hooks = 0
async function hook(id: string): Promise<void> {
  const body = JSON.stringify({ id: `hook_${++hooks}`, changed: [`transfer_${id}`] })
  const response = await service.app.api.fetch(
    new Request(`http://127.0.0.1:4000${hookPath('bank')}`, { method: 'POST', body }),
  )
  expect(response.status).toBe(200)
  await service.settle()
}

const failed = { status: 'failed', error: { code: 16004, sub_type: 'MICRO_DEPOSITS_FAILED' } }

describe('deposits that a bank returns later', () => {
  it('fail the session at the next check, and another one can be started', async () => {
    const { account, id, read } = await start()
    expect(await read()).toMatchObject({ status: 'in_progress', error: null })
    returned.add(id)
    await pass(1)
    expect(await read()).toMatchObject(failed)
    await pass(7)
    expect(checks.get(id)).toHaveLength(1)
    expect((await begin(account, 'micro_deposits')).status).toBe(200)
  })

  it('are shown to the person, who can verify another account', async () => {
    const entity = await someone(service, '+15121231111')
    const open = async (holder_id: string) => {
      const ach = { routing: '062103000', number: '1000000009', type: 'checking' }
      const account: string = (await service.call('POST', '/accounts', { holder_id, ach })).body['id']
      const mode = { mode: 'account_verification', entity_id: entity, account_verification: { account_id: account } }
      const token: string = (await service.call('POST', '/opal/token', mode)).body['data']['token']
      return { account, person: await Person.arrive(service, token) }
    }
    const { account, person } = await open(entity)
    await verify(service, person)
    await person.send({ action: 'send' })
    const [session] = (await service.call('GET', sessions(account))).body['data'] as { id: string }[]
    returned.add(session!.id)
    await hook(session!.id)
    await person.look()
    expect(person.view).toMatchObject({ step: 'blocked', data: { reason: 'deposits_returned', can_retry: false } })
    service.advance(1_000)
    const next = await open(entity)
    if (next.person.view.step === 'consent') await next.person.consent()
    expect(next.person.data('deposits').state).toBe('offer')
  })

  it('fail the session at a webhook', async () => {
    const { id, read } = await start()
    await hook(id)
    expect(await read()).toMatchObject({ status: 'in_progress' })
    returned.add(id)
    await hook(id)
    expect(await read()).toMatchObject(failed)
  })

  it('are checked until the bank returns no more, and a webhook adds no further checks', async () => {
    const { id, read } = await start()
    await hook(id)
    for (let days = 0; days < 5; days++) await pass(1)
    expect(checks.get(id)).toHaveLength(3)
    expect(await read()).toMatchObject({ status: 'in_progress' })
  })

  it('are not checked after the right amounts', async () => {
    const { account, id, read, amounts } = await start()
    await put(account, id, { micro_deposits: { amounts: await amounts() } })
    returned.add(id)
    await hook(id)
    await pass(1)
    expect(await read()).toMatchObject({ status: 'verified', error: null })
    expect(checks.get(id)).toBeUndefined()
  })
})

describe('deposits to an account that its holder stops sharing', () => {
  const inTeam = async (work: (tx: Scope) => Promise<unknown>) =>
    transact(service.deps, (await service.deps.teamOf(service.team))!, work)
  // kills: hidden-accounts-are-followed-later
  it('are checked again once the account is shared', async () => {
    const { account, id, read } = await start()
    await inTeam(async tx => hideAccount(tx, (await lockAccount(tx, account))!))
    returned.add(id)
    await pass(1)
    await hook(id)
    expect(checks.get(id)).toBeUndefined()
    const { holder_id } = await service.store.reader
      .selectFrom('accounts')
      .select('holder_id')
      .where('id', '=', account)
      .executeTakeFirstOrThrow()
    await inTeam(async tx => shareAccounts(tx, (await lockEntity(tx, holder_id))!, [account]))
    await pass(1)
    expect(await read()).toMatchObject(failed)
  })

  // kills: no-verification-events-of-hidden-accounts
  it('emit no event when their session ends', async () => {
    const { account, id } = await start()
    const events = () =>
      service.store.reader.selectFrom('events').select('type').where('resource_id', '=', id).execute()
    const before = await events()
    expect(before.length).toBeGreaterThan(0)
    await inTeam(async tx => {
      await hideAccount(tx, (await lockAccount(tx, account))!)
      await updateVerification(tx, (await lockVerification(tx, id))!, 'failed', { tries: 0 })
    })
    expect(await events()).toEqual(before)
  })
})
