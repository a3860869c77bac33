/** Two services in a chain: the upper one finds people and debts, and pays, through the lower one. */
import { randomUUID } from 'node:crypto'
import { checkConnector, type Finding } from '@causeway/connector/conformance/conformance'
import { createConnector } from '@causeway/connector/http/serve'
import { readSharedKeys } from '@causeway/connector/http/signature'
import { readSettings } from '@causeway/connector/provider/settings'
import { createMemoryHost } from '@causeway/connector/testing/memory-host'
import { DAY_MS } from '@causeway/contract/time'
import { upstream } from '@causeway/providers/upstream/provider'
import { expect, it } from 'vitest'
import { hookPath } from '../network/providers/hooks.js'
import { signatureHeaders } from '../notify/webhooks/sign.js'
import { fundingAccount, Person, someone, transferToken } from '../testing/frame.js'
import { lender } from '../testing/money.js'
import { type TestService, testService } from '../testing/service.js'

const SECRET = 'the secret of the webhooks there'
const lower = await testService()
const env = {
  UPSTREAM_API_URL: 'http://127.0.0.1:4000',
  UPSTREAM_API_KEY: lower.key,
  UPSTREAM_WEBHOOK_SECRET: SECRET,
}
const { values, faults } = readSettings(upstream.settings, env)
if (faults) throw new Error(JSON.stringify(faults))
/** Runs before a request reaches the lower service. */
let before = async (_request: Request): Promise<void> => {}
/** Returns true if the answer to a request is lost, after its effect. */
let loses = (_request: Request): boolean => false
const service: TestService = await testService({
  providers: {
    list: [{ provider: upstream, settings: values }],
    async fetch(input, init) {
      const request = new Request(input, init)
      await before(request)
      const reply = await lower.app.api.fetch(request)
      if (loses(request)) throw new TypeError('The connection broke.')
      // The lower service's jobs, which its own process would run.
      if (request.method !== 'GET') await lower.settle()
      return reply
    },
    overrides: new Map([['network/tables', 'sandbox']]),
  },
})

const team = lender(service)
const theirs = lender(lower)

/** Runs the jobs of both services until neither has more. */
async function settle() {
  for (let round = 0; round < 2; round++) {
    await lower.settle()
    await service.settle()
  }
}

async function pass(days: number) {
  for (let hour = 0; hour < days * 24; hour += 12) {
    lower.advance(DAY_MS / 2)
    service.advance(DAY_MS / 2)
    await settle()
  }
}

it('a person verifies a phone, finds debts and pays them by way of the upstream', async () => {
  const entity = await someone(service, '+15125550100')
  const source = await fundingAccount(service)
  const { element_token, session_id } = await transferToken(service, entity, { loan_amount: 1_000_000 })
  const person = await Person.arrive(service, element_token)
  await person.consent()
  await person.send({ action: 'verify', code: '000000' })
  expect(person.view.step).toBe('code')
  await person.send({ action: 'verify', code: '123456' })
  await person.wait()
  const { accounts } = person.data('selection')
  const eligible = accounts.filter(({ status }) => status !== 'ineligible')
  expect(accounts.map(({ status }) => status).sort()).toEqual([
    'ineligible',
    'ineligible',
    'needs_number',
    'ready',
    'ready',
  ])
  await person.send({ action: 'select', accounts: eligible.map(({ id }) => id) })
  await person.send({ action: 'submit', number: '4111111111111111' })
  expect(person.view.errors).toHaveLength(1)
  await person.send({ action: 'submit', number: `4111 1111 1111 ${person.data('number').account.mask}` })
  await person.send({ action: 'review', allocations: person.data('allocation').suggestion })
  await person.send({ action: 'confirm' })
  expect(person.view.step).toBe('done')
  await team.must('POST', `/opal/sessions/${session_id}`, { action: 'release_payments', data: { source } })
  await settle()
  const payments = await team.must('GET', '/payments')
  const below = await theirs.must('GET', '/payments')
  const amountsOf = (reply: typeof payments) =>
    (reply['data'] as { amount: number }[]).map(({ amount }) => amount).sort()
  expect(amountsOf(payments)).toHaveLength(3)
  expect(amountsOf(below)).toEqual(amountsOf(payments))
  await pass(4)
  for (const { status } of (await team.must('GET', '/payments'))['data'] as { status: string }[])
    expect(status).toBe('posted')
})

/** Creates a payment between two bank accounts. */
async function pay(): Promise<{ id: string; below: string }> {
  const source = (await team.source()).id
  const destination = (await team.source('555001')).id
  const { id } = await team.must('POST', '/payments', { source, destination, amount: 5_000, description: 'Loan' })
  await settle()
  const [payment] = (await theirs.must('GET', '/payments'))['data'] as { id: string; metadata: object }[]
  expect(payment!.metadata).toEqual({ causeway_payment: id })
  return { id, below: payment!.id }
}

it('a return at the upstream reaches the payment, and its reversal is approved there', async () => {
  for (const each of [team, theirs]) await each.must('PATCH', '/team', { ach_destinations: true })
  const { id, below } = await pay()
  await theirs.must('POST', `/simulate/payments/${below}`, { status: 'processing' })
  for (const status of ['sent', 'reversal_required'])
    await theirs.must('POST', `/simulate/payments/${below}`, {
      status,
      ...(status !== 'sent' && { error_code: 10_009 }),
    })
  await pass(1)
  const returned = await team.must('GET', `/payments/${id}`)
  expect(returned).toMatchObject({ status: 'reversal_required', error: { code: 10_009 } })
  await team.must('PUT', `/payments/${id}/reversals/${returned['reversal_id']}`, { status: 'pending' })
  await pass(4)
  expect(await theirs.must('GET', `/payments/${below}`)).toMatchObject({ status: 'reversed' })
  expect(await team.must('GET', `/payments/${id}`)).toMatchObject({ status: 'reversed' })
})

it('a cancellation reaches the upstream, or says that it is too late', async () => {
  const { id, below } = await pay()
  await team.must('DELETE', `/payments/${id}`)
  expect(await theirs.must('GET', `/payments/${below}`)).toMatchObject({ status: 'canceled' })
  const late = await pay()
  await theirs.must('POST', `/simulate/payments/${late.below}`, { status: 'processing' })
  expect(await team.rejection('DELETE', `/payments/${late.id}`)).toBe('INVALID_STATUS')
})

it('a cancellation that crosses the submission does not claim that the payment is canceled', async () => {
  const source = (await team.source()).id
  const destination = (await team.source('555001')).id
  const { id } = await team.must('POST', '/payments', { source, destination, amount: 5_000, description: 'Loan' })
  let during: Awaited<ReturnType<typeof team.call>> | undefined
  before = async ({ method, url }) => {
    if (method !== 'POST' || !url.endsWith('/payments') || during) return
    during = await team.call('DELETE', `/payments/${id}`)
  }
  await settle()
  before = async () => {}
  expect([during?.status, (await team.must('GET', `/payments/${id}`))['status']]).toEqual([503, 'pending'])
  await pass(4)
  expect(await team.must('GET', `/payments/${id}`)).toMatchObject({ status: 'posted' })
})

it('a webhook of the upstream is read once its signature is verified', async () => {
  const { id, below } = await pay()
  await theirs.must('POST', `/simulate/payments/${below}`, { status: 'processing' })
  await lower.settle()
  const body = JSON.stringify({ webhook_id: 'whk_1', id: below, type: 'payment.update', op: 'update', event: 'evt_1' })
  const deliver = async (secret: string, at = service.deps.clock()) => {
    const headers = signatureHeaders({
      id: `dlv_${secret.length}`,
      at,
      body,
      secrets: [secret],
      token: null,
      peer: false,
    })
    const request = new Request(`http://127.0.0.1:4000${hookPath('upstream')}`, { method: 'POST', headers, body })
    return (await service.app.api.fetch(request)).status
  }
  expect(await deliver('another secret of the webhooks')).toBe(401)
  expect(await deliver(SECRET, service.deps.clock() - DAY_MS)).toBe(401)
  await service.settle()
  expect(await team.must('GET', `/payments/${id}`)).toMatchObject({ status: 'pending' })
  expect(await deliver(SECRET)).toBe(200)
  await service.settle()
  expect(await team.must('GET', `/payments/${id}`)).toMatchObject({ status: 'processing' })
})

it('a payment whose answer is lost is made once, and a reversal is approved once', async () => {
  const lost: string[] = []
  loses = ({ method, url }) => {
    const what = `${method} ${new URL(url).pathname.replace(/[a-z]+_\w+/g, ':id')}`
    if (method === 'GET' || lost.includes(what)) return false
    lost.push(what)
    return true
  }
  const { id, below } = await pay()
  await theirs.must('POST', `/simulate/payments/${below}`, { status: 'processing' })
  await theirs.must('POST', `/simulate/payments/${below}`, { status: 'sent' })
  await theirs.must('POST', `/simulate/payments/${below}`, { status: 'reversal_required', error_code: 10_009 })
  await pass(1)
  const { reversal_id } = await team.must('GET', `/payments/${id}`)
  await team.must('PUT', `/payments/${id}/reversals/${reversal_id}`, { status: 'pending' })
  await pass(4)
  loses = () => false
  expect(lost).toEqual(['POST /payments', 'PUT /payments/:id/reversals/:id'])
  const marked = ((await theirs.must('GET', '/payments?page_limit=100'))['data'] as { metadata: object }[]).filter(
    ({ metadata }) => JSON.stringify(metadata).includes(id),
  )
  expect(marked).toHaveLength(1)
  expect(await team.must('GET', `/payments/${id}`)).toMatchObject({ status: 'reversed' })
})

it('a person who has no questions left at the upstream is not verified, and each round has its own questions', async () => {
  type Session = {
    id: string
    status: string
    kba: { questions: { id: string; text: string; answers: { id: string }[] }[] }
  }
  const begin = async () => {
    const individual = { first_name: 'Luis', last_name: 'Ortega', phone: '+15125550104' }
    const { id } = await team.must('POST', '/entities', { type: 'individual', individual })
    const sessions = `/entities/${id}/verification_sessions`
    const byo_sms = { timestamp: '2026-03-01T10:00:00.000Z' }
    await team.must('POST', sessions, { type: 'phone', method: 'byo_sms', byo_sms })
    const reply = await team.call('POST', sessions, { type: 'identity', method: 'kba', kba: {} })
    return { id, sessions, reply, session: reply.body as unknown as Session }
  }
  const { sessions, session } = await begin()
  const fail = async () => {
    const kba = { answers: [] }
    const body = { type: 'identity', method: 'kba', kba }
    return (await team.must('PUT', `${sessions}/${session.id}`, body)) as unknown as Session
  }
  const texts = ({ kba }: Session) => kba.questions.map(({ text }) => text)
  const second = await fail()
  expect(texts(second)).toHaveLength(3)
  expect(texts(second).filter(text => texts(session).includes(text))).toEqual([])
  expect((await fail()).status).toBe('failed')
  // Another entity has attempts left here, but it is the same person at the upstream.
  const other = await begin()
  expect(other.session.status).not.toBe('verified')
  expect(await team.must('GET', `/entities/${other.id}`)).toMatchObject({
    verification: { identity: { verified: false } },
  })
})

it('passes the conformance suite behind the signed contract of connectors', async () => {
  const { entity, accounts } = await theirs.debts()
  const keys = readSharedKeys(Buffer.alloc(32, 9).toString('base64'))!
  const { exchange } = createMemoryHost(upstream, {
    env,
    fetch: async (input, init) => {
      const reply = await lower.app.api.fetch(new Request(input, init))
      await lower.settle()
      return reply
    },
  })
  const connector = createConnector({ exchange, keys, clock: Date.now, id: randomUUID })
  const account = accounts[0]!.id
  const bank = (number: string) => ({
    ...{ id: `acc_${number}`, type: 'ach', routing: '062103000', number, reference: null, mch_id: null },
  })
  const payment = {
    ...{ payment_id: 'pmt_0', amount: 500, fee: 0, source: bank('880001'), destination: bank('880002') },
    ...{ created_at: Date.now(), source_date: '2026-12-01', destination_date: '2026-12-02' },
  }
  const findings: Finding[] = []
  for await (const finding of checkConnector({
    url: 'http://127.0.0.1:4600',
    keys,
    timeout: 20_000,
    fetch: (url, init) => connector(new Request(url, init)),
    clock: Date.now,
    id: randomUUID,
    inputs: {
      'identity/send_code': { phone: '+15125550105' },
      'identity/check_code': { phone: '+15125550105', code: '000000' },
      'network/discover': { person: entity },
      'network/balance': { account },
      'network/update': { account, source: 'direct' },
      'network/payoff': { account },
      'network/sensitive': { account },
      'network/attributes': { account, names: ['type'] },
      'network/verify_number': { account, number: '4111111111111111' },
      'network/changes': { ...{ kind: 'update', of: account, from: 0, since: null, until: Date.now(), limit: 10 } },
      'network/credit_score': { person: entity, monthly: false },
      'network/entity_attributes': { person: entity, names: ['credit_card_utilization'], soft_inquiries: 0 },
      'network/vehicles': { person: entity },
      'identity/questions': { person: entity, round: 0 },
      'identity/answer': { person: entity, round: 0, answers: [] },
      'rail/accepts': { amount: 500, source: payment.source, destination: payment.destination },
      'rail/submit': payment,
    } as never,
  }))
    findings.push(finding)
  expect(findings.filter(({ problem }) => problem !== null)).toEqual([])
  const tested = findings.filter(({ skipped }) => !skipped).map(({ rule }) => rule)
  const untested = Object.keys(upstream.provides).filter(path => !tested.some(rule => rule.startsWith(`${path} `)))
  // Acts that need an earlier act.
  expect(untested).toEqual(['rail/cancel', 'rail/reverse'])
})
