import { expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { createOps } from './ops.js'

const service = await testService()

const metrics = async () => (await createOps(service.deps, () => true)(new Request('http://ops/metrics'))).text()
/** Returns the lines that contain all of these strings. */
const linesOf = (text: string, ...parts: string[]) =>
  text.split('\n').filter(line => parts.every(part => line.includes(part)))

it('counts requests by route template and status class, keys, jobs and deliveries, but includes no team, key or id', async () => {
  const bank = lender(service)
  const source = (await bank.source()).id
  const card = (await bank.debts()).accounts[0]!.id
  const body = { amount: 5_000, source, destination: card, description: 'x' }
  const headers = { 'idempotency-key': 'k' }
  const made = await service.call('POST', '/payments', body, headers)
  expect((await service.call('POST', '/payments', body, headers)).body).toEqual(made.body)
  await service.call('GET', `/payments/${made.body['id']}`)
  await service.call('GET', '/payments/pmt_unknown')
  service.advance(86_400_000)
  await service.settle()
  const text = await metrics()
  const paths = linesOf(text, 'causeway_http_request_duration_seconds_count', 'method="GET"', '/payments/')
  expect(paths.map(line => line.replace(/.*route="([^"]*)",status="(\dxx)".* (\d+)$/, '$1 $2 $3')).sort()).toEqual([
    expect.stringMatching(/^\/payments\/\S+ 2xx 1$/),
    expect.stringMatching(/^\/payments\/\S+ 4xx 1$/),
  ])
  expect(linesOf(text, 'causeway_idempotency_total{outcome="replayed"} 1')).toHaveLength(1)
  expect(linesOf(text, 'causeway_job_duration_seconds_count', 'outcome="done"')).not.toEqual([])
  expect(linesOf(text, 'causeway_jobs_dead 0')).toHaveLength(1)
  for (const secret of [service.team, service.key, source, card, made.body['id']]) expect(text).not.toContain(secret)
})

it('reports no metric for work that this process does not do, such as checking the ledger', async () => {
  expect(linesOf(await metrics(), 'causeway_ledger_faults ')).toEqual([
    '# HELP causeway_ledger_faults Payments whose postings, status and reversal do not agree with each other or with the rail.',
    '# TYPE causeway_ledger_faults gauge',
  ])
})
