import { RejectedKeyError } from '@causeway/connector/provider/guarded-fetch'
import { provider } from '@causeway/connector/provider/provider'
import { MINUTE_MS } from '@causeway/contract/time'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../platform/db/types.js'
import { createLog } from '../../platform/log.js'
import { testService } from '../../testing/service.js'
import { createProviderHost } from './host.js'

/** The status of the carrier's next answers, or null for a connection that fails. */
let status: number | null = 200

const carrier = provider({
  name: 'carrier',
  title: 'Carrier',
  settings: {},
  hosts: () => ['https://carrier.example'],
  environment: () => 'any',
  provides: {
    async 'identity/send_code'({ fetch }) {
      const answer = await fetch({ method: 'POST', url: 'https://carrier.example/codes', returns: [403, 429] })
      if (answer.status === 403 && answer.headers.get('x-code') !== 'blocked') throw new RejectedKeyError('Carrier')
      return { status: answer.status < 300 ? 'sent' : 'refused' }
    },
    'identity/questions': async () => ({ questions: [] }),
    async 'rail/managed_accounts'({ fetch }) {
      await fetch({ method: 'GET', url: 'https://carrier.example/accounts' })
      return { accounts: [] }
    },
  },
  outcomes: { 'identity/send_code': { find: async () => ({ known: false }), duplicates: 'harmless' } },
  capabilities: () => ({}),
  async *check() {},
  proven: { level: 'emulator', on: '2026-11-29' },
})

const service = await testService()
const { vault, clock, metrics } = service.deps
let isBlocked = false
const carrierApi: typeof fetch = async () => {
  if (status === null) throw new TypeError('fetch failed')
  return new Response(null, { status, headers: isBlocked ? { 'x-code': 'blocked' } : {} })
}

const lines: string[] = []
/** Starts a process that calls the carrier. */
function startProcess(store: Store = service.store) {
  const log = createLog(line => lines.push(line), clock)
  return createProviderHost(
    { provider: carrier, settings: {} },
    { store, vault, log, metrics, clock, fetch: carrierApi },
  )
}
let requests = 0
const callOf = (request_id = `request_${requests++}`) => ({ request_id, team_id: service.team, now: clock() })
const sendCode = (exchange: ReturnType<typeof startProcess>, request_id?: string) =>
  exchange('identity/send_code', { ...callOf(request_id), question: { phone: '+15125550142' } })
const askQuestions = (exchange: ReturnType<typeof startProcess>) =>
  exchange('identity/questions', { ...callOf(), question: { person: 'person', round: 0 } })
/** Asks for something that is never stored, so the state of the key is the only thing that is written. */
const listAccounts = (exchange: ReturnType<typeof startProcess>) =>
  exchange('rail/managed_accounts', { ...callOf(), question: {} })

const rejectedAt = async () =>
  (await service.store.reader.selectFrom('provider_states').select('rejected_key_at').executeTakeFirst())
    ?.rejected_key_at ?? null
async function reject(exchange: ReturnType<typeof startProcess>) {
  status = 401
  await expect(sendCode(exchange)).rejects.toThrow('rejected the credentials')
}

beforeEach(async () => {
  status = 200
  isBlocked = false
  lines.length = 0
  await service.store.write(tx => tx.deleteFrom('provider_states').execute())
})

describe("the state of a provider's key", () => {
  it('is rejected since the first rejection, whichever process meets it', async () => {
    const at = clock()
    await reject(startProcess())
    service.advance(2 * MINUTE_MS)
    await reject(startProcess())
    expect(await rejectedAt()).toBe(at)
  })

  it('is logged once by each process', async () => {
    const exchange = startProcess()
    await reject(exchange)
    service.advance(2 * MINUTE_MS)
    await reject(exchange)
    expect(lines.filter(line => line.includes('"provider_key_rejected"'))).toHaveLength(1)
  })

  it('stays rejected after calls without a request', async () => {
    const exchange = startProcess()
    await sendCode(exchange, 'stored')
    await reject(exchange)
    await sendCode(exchange, 'stored')
    await askQuestions(exchange)
    await askQuestions(startProcess())
    expect(await rejectedAt()).not.toBeNull()
  })

  it.each([null, 429, 500])('stays rejected after %s', async next => {
    const exchange = startProcess()
    await reject(exchange)
    status = next
    await sendCode(exchange).catch(() => {})
    expect(await rejectedAt()).not.toBeNull()
  })

  it.each([
    ['a success', 200, false],
    ['a refusal', 404, false],
    ['a refusal with the status of a rejected key', 403, true],
  ])('is accepted after %s', async (_, next, blocked) => {
    const exchange = startProcess()
    await reject(exchange)
    status = next
    isBlocked = blocked
    await sendCode(exchange)
    expect(await rejectedAt()).toBeNull()
  })

  it('is rejected if the provider says so with a status that it also uses for refusals', async () => {
    status = 403
    await expect(sendCode(startProcess())).rejects.toThrow('rejected the credentials')
    expect(await rejectedAt()).not.toBeNull()
  })

  it('is accepted again by a process that did not see the rejection', async () => {
    const first = startProcess()
    await sendCode(first)
    await reject(startProcess())
    status = 200
    service.advance(MINUTE_MS)
    await sendCode(first)
    expect(await rejectedAt()).toBeNull()
  })
})

describe('a state that cannot be stored', () => {
  let isBroken = true
  const breakable: Store = {
    ...service.store,
    write: work =>
      service.store.write(tx => {
        if (isBroken) throw new Error('The disk is full.')
        return work(tx)
      }),
  }
  beforeEach(() => {
    isBroken = true
  })

  it("does not change the provider's answer, and is stored at the next call", async () => {
    await reject(startProcess())
    status = 200
    const exchange = startProcess(breakable)
    expect(await listAccounts(exchange)).toEqual({ accounts: [] })
    expect(lines.join('\n')).toContain('"event":"provider_state_not_stored","provider":"carrier"')
    expect(await rejectedAt()).not.toBeNull()
    isBroken = false
    await listAccounts(exchange)
    expect(await rejectedAt()).toBeNull()
  })

  it('leaves the rejection to the caller, and is stored at the next call', async () => {
    const exchange = startProcess(breakable)
    status = 401
    await expect(listAccounts(exchange)).rejects.toThrow('rejected the credentials')
    expect(await rejectedAt()).toBeNull()
    isBroken = false
    await expect(listAccounts(exchange)).rejects.toThrow('rejected the credentials')
    expect(await rejectedAt()).not.toBeNull()
  })
})
