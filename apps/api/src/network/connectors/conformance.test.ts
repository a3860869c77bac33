import { randomUUID } from 'node:crypto'
import { checkConnector, type Finding } from '@causeway/connector/conformance/conformance'
import { UnknownMethodError } from '@causeway/connector/http/exchange'
import { createConnector, createPortsExchange } from '@causeway/connector/http/serve'
import { SIGNATURE_HEADER, sign } from '@causeway/connector/http/signature'
import type { Ports } from '@causeway/connector/ports/ports'
import { describe, expect, it } from 'vitest'
import { exampleInputs } from '../../sandbox/connector-inputs.js'
import { ach, call, testSandbox } from '../../sandbox/fixtures.js'
import { connectorKeys } from '../../testing/connector/connector.js'
import { wire } from '../../testing/connector/wire.js'

const pay = { amount: 100, source: ach('1'), destination: ach('2') }
type Handler = (request: Request) => Promise<Response>
const createHandler = (ports: Ports) =>
  createConnector({ exchange: createPortsExchange(ports), keys: connectorKeys, clock: Date.now, id: randomUUID })

async function findings(handler: Handler, inputs = exampleInputs): Promise<Finding[]> {
  const deps = {
    url: 'https://connector.example',
    keys: connectorKeys,
    inputs,
    timeout: 1_000,
    clock: Date.now,
    id: randomUUID,
    fetch: ((url: string, init: RequestInit) => handler(new Request(url, init))) as typeof fetch,
  }
  const all: Finding[] = []
  for await (const finding of checkConnector(deps)) all.push(finding)
  return all
}
const failing = async (handler: Handler) =>
  (await findings(handler)).filter(({ problem }) => problem !== null).map(({ rule }) => rule)

it('the example follows every rule', async () => {
  const all = await findings(createHandler(testSandbox()))
  expect(all.filter(({ problem }) => problem !== null)).toEqual([])
  expect(all.length).toBeGreaterThan(45)
})

it('without inputs, no method with an effect is called', async () => {
  const sandbox = testSandbox()
  const never = () => Promise.reject(new Error('acted'))
  const rail = { ...sandbox.rail, submit: never, cancel: never }
  const all = await findings(createHandler({ ...sandbox, rail }), {})
  expect(all.filter(({ problem }) => problem !== null)).toEqual([])
  expect(all.filter(({ skipped }) => skipped).map(({ rule }) => rule)).toContain('rail/submit is performed once')
})

it('missing optional methods are skipped, and treated as returning nothing', async () => {
  const { managedAccounts: _a, managedTransactions: _t, ...rail } = testSandbox().rail
  const lacking = { ...testSandbox(), rail } as unknown as Ports
  const inner = createPortsExchange(lacking)
  const exchange: typeof inner = async (path, asked) => {
    if (path === 'capabilities') throw new UnknownMethodError('no list', { outcome: 'nothing', retryable: false })
    return inner(path, asked)
  }
  const all = await findings(createConnector({ exchange, keys: connectorKeys, clock: Date.now, id: randomUUID }))
  expect(all.filter(({ problem }) => problem !== null)).toEqual([])
  expect(all.filter(({ skipped }) => skipped).map(({ rule }) => rule)).toEqual([
    'rail/managed_accounts returns an answer that matches the contract',
    'rail/managed_transactions returns an answer that matches the contract',
  ])
  expect(await wire(lacking).ports.rail.managedAccounts(call)).toEqual({ accounts: [] })
  await expect(wire({ ...lacking, rail: {} } as Ports).ports.rail.accepts({ ...call, ...pay })).rejects.toThrow(
    'UNKNOWN_METHOD',
  )
})

it('a connector that lists its methods is tested only for these', async () => {
  const { rail } = testSandbox()
  const all = await findings(createHandler({ rail } as unknown as Ports))
  expect(all.filter(({ problem }) => problem !== null)).toEqual([])
  const rules = all.map(({ rule }) => rule).join()
  expect(rules).toContain('rail/status returns an answer')
  expect(rules).not.toContain('network/')
})

describe('a connector that', () => {
  it('lists a method that is not in the contract is detected', async () => {
    const inner = createPortsExchange(testSandbox())
    const exchange: typeof inner = async (path, asked) =>
      path === 'capabilities' ? { methods: ['rail/submit', 'rail/submti'] } : inner(path, asked)
    const handler = createConnector({ exchange, keys: connectorKeys, clock: Date.now, id: randomUUID })
    expect((await findings(handler)).filter(({ problem }) => problem !== null)).toEqual([
      {
        rule: 'capabilities lists methods of the contract, or is not implemented',
        problem: 'answer.methods: "rail/submti" is not a method',
      },
    ])
  })

  it('does not check signatures is detected', async () => {
    const inner = createHandler(testSandbox())
    const trusting: Handler = async request => {
      const path = new URL(request.url).pathname.slice(1)
      const body = await request.text()
      const signature = await sign(connectorKeys, body, { from: 'causeway', about: path, id: 'x' }, Date.now())
      return inner(new Request(request.url, { method: 'POST', body, headers: { [SIGNATURE_HEADER]: signature } }))
    }
    expect(await failing(trusting)).toEqual(
      expect.arrayContaining([
        'Rejects a call without a signature',
        'Rejects a call that another key signed',
        'Rejects a call that was signed ten minutes ago',
      ]),
    )
  })

  it('does not sign its responses is detected', async () => {
    const inner = createHandler(testSandbox())
    const unsigned: Handler = async request => new Response(await (await inner(request)).text())
    expect(await failing(unsigned)).toContain('network/balance returns an answer that matches the contract')
  })

  it('loses its stored actions is detected', async () => {
    const forgetful: Handler = request => createHandler(testSandbox())(request)
    expect(await failing(forgetful)).toEqual([
      ...[
        'network/instrument',
        'network/deposit',
        'network/link',
        'network/unlink',
        'identity/send_code',
        'identity/begin_sna',
        'rail/submit',
        'rail/cancel',
        'rail/reverse',
      ].map(path => `${path} returns the same answer when it is repeated, and reports it as the outcome`),
      'Does not make a payment that was canceled before it arrived',
    ])
  })

  it('returns cents as a string is detected, with the field named', async () => {
    const sandbox = testSandbox()
    const balance = async () => ({ status: 'completed', amount: '5.00' }) as never
    const all = await findings(createHandler({ ...sandbox, network: { ...sandbox.network, balance } }))
    expect(all.filter(({ problem }) => problem !== null)).toEqual([
      {
        rule: 'network/balance returns an answer that matches the contract',
        problem: expect.stringMatching(/^answer\.amount: /),
      },
    ])
  })

  it.each([
    ['more was returned than arrived', 5_000, 'returned must be less than what arrived'],
    ['nothing was returned', 0, 'answer.returned'],
  ])('reports of a payment that %s is detected', async (_what, returned, problem) => {
    const sandbox = testSandbox()
    const status: Ports['rail']['status'] = async call => ({
      ...(await sandbox.rail.status(call)),
      status: 'partial_reversal_processing',
      code: 10010,
      returned,
    })
    const all = await findings(createHandler({ ...sandbox, rail: { ...sandbox.rail, status } }))
    expect(all.filter(each => each.problem !== null)).toEqual([
      { rule: 'rail/status returns an answer that matches the contract', problem: expect.stringContaining(problem) },
    ])
  })

  it('changes its answer about a card is detected', async () => {
    const sandbox = testSandbox()
    let tries = 0
    const verifyNumber = async () => (tries++ % 2 ? { status: 'verified' } : { status: 'failed', code: 16002 }) as never
    expect(await failing(createHandler({ ...sandbox, network: { ...sandbox.network, verifyNumber } }))).toEqual([
      'network/verify_number returns an answer that matches the contract',
    ])
  })
})
