import { expect, it } from 'vitest'
import { fundingAccount, LOAN, Person, someone, transferToken } from '../../testing/frame.js'
import { lender } from '../../testing/money.js'
import { createReceiver } from '../../testing/receiver.js'
import { testService } from '../../testing/service.js'
import { readConfig } from '../config.js'
import { operate } from './operator.js'

const receiver = createReceiver()
let broken = false
const service = await testService({
  outbound: receiver.outbound,
  ports: ports => ({
    ...ports,
    rail: {
      ...ports.rail,
      async submit(call) {
        if (broken) return { status: 'no such status' } as never
        return ports.rail.submit(call)
      },
    },
  }),
})
const bank = lender(service)

interface Row {
  id: string
  type: string
  status: string
  kind: string
  action: string
  resource_id: string
}
type Caused = Record<'events' | 'deliveries' | 'jobs' | 'audit', Row[]>

const config = () => readConfig({ DATABASE_URL: service.url, ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') })
const causedBy = (id: string) => operate(config(), ['request', id], Date.now()) as Promise<Caused>
const linesOf = (id: string) =>
  service.lines.map(line => JSON.parse(line) as Record<string, unknown>).filter(line => line['request_id'] === id)

async function pay() {
  const source = (await bank.source()).id
  const destination = (await bank.debts()).accounts[0]!.id
  await service.settle()
  const made = await bank.call('POST', '/payments', { amount: 5_000, source, destination, description: 'x' })
  return { payment: made.body.id, request: made.headers.get('request-id')! }
}

it('a request can be traced to its events, jobs and deliveries, including those its jobs cause days later', async () => {
  await bank.must('POST', '/webhooks', { type: 'payment.update', url: 'https://example.com/hook' })
  const { payment, request } = await pay()
  const first = await causedBy(request)
  expect(first.events.map(row => `${row.type} ${row.resource_id}`)).toEqual([`payment.create ${payment}`])
  expect(first.jobs.map(row => row.kind)).toEqual(['payment.submit'])
  service.advance(2 * 86_400_000)
  await service.settle()
  const later = await causedBy(request)
  expect(later.events.length).toBeGreaterThan(1)
  expect(new Set(later.events.map(row => row.resource_id))).toEqual(new Set([payment]))
  expect(later.deliveries.map(row => row.status)).toEqual(later.events.slice(1).map(() => 'delivered'))
  expect(later.jobs.map(row => row.kind)).toEqual(['payment.follow'])
})

it("log lines for a job and for a port's calls name the request that caused them", async () => {
  broken = true
  const { request } = await pay()
  await service.settle()
  broken = false
  expect(linesOf(request).map(line => line['event'])).toEqual(['request', 'connector_fault', 'job_failed'])
  const [job] = (await causedBy(request)).jobs
  expect(job).toMatchObject({ kind: 'payment.submit', state: 'ready', attempts: 1 })
})

it("a full number read and a session's steps are found by their requests", async () => {
  const account = await fundingAccount(service)
  const read = await bank.call('GET', `/accounts/${account}`)
  const found = await causedBy(read.headers.get('request-id')!)
  expect(found.audit).toMatchObject([{ action: 'account.number.read', resource_id: account }])
  const entity = await someone(service, '+15125550100')
  const { element_token } = await transferToken(service, entity, LOAN)
  await (await Person.arrive(service, element_token)).arriveAtAccounts()
  const steps = service.lines
    .map(line => JSON.parse(line) as Record<string, string>)
    .filter(line => line['route'] === '/s/steps/:step')
  const events: Row[] = []
  for (const line of steps) events.push(...(await causedBy(line['request_id']!)).events)
  expect(events.map(row => `${row.type} ${row.resource_id}`)).toContain(`entity.update ${entity}`)
})

it('finds nothing for another request, and rejects text that is not an id', async () => {
  const { headers } = await bank.call('GET', '/payments')
  const found = await causedBy(headers.get('request-id')!)
  expect([found.events, found.jobs, found.deliveries, found.audit]).toEqual([[], [], [], []])
  await expect(causedBy('pmt_1')).rejects.toThrow('REQUEST must be the value of a Request-Id header')
})
