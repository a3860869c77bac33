import { expect, it } from 'vitest'
import { stopAtEnd } from '../../testing/cleanup.js'
import { startConnector } from '../../testing/connector/connector-process.js'
import { fundingAccount, Person, someone, transferToken } from '../../testing/frame.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

/**
 * Options for a slow, unreliable connector: one tenth of calls are delivered twice, one tenth receive a broken answer,
 * and one tenth receive no answer.
 */
const troubles = ['--slow', '40', '--twice', '0.1', '--silent', '0.1', '--broken', '0.1', '--row', '2']
const connector = await startConnector(...troubles)
stopAtEnd(connector.stop)
const service = await testService({ connector: connector.url })

/** Advances the clock by about this many hours, and runs the jobs repeatedly so that failed ones are retried. */
async function settle(hours: number) {
  for (let hour = 0; hour <= hours; hour += 12) {
    service.advance(12 * 3_600_000)
    for (let tries = 0; tries < 3; tries++) {
      await service.settle()
      service.advance(60_000)
    }
  }
}

it('a person links, allocates and confirms; a release makes one payment per account, and the payments post', async () => {
  const entity = await someone(service, '+15125550100')
  const source = await fundingAccount(service)
  const { element_token, session_id } = await transferToken(service, entity, { loan_amount: 1_000_000 })
  const person = await Person.arrive(service, element_token)
  await person.consent()
  await person.send({ action: 'verify', code: '123456' })
  await person.wait()
  const eligible = person.data('selection').accounts.filter(account => account.status !== 'ineligible')
  await person.send({ action: 'select', accounts: eligible.map(account => account.id) })
  await person.send({ action: 'submit', number: `4111 1111 1111 ${person.data('number').account.mask}` })
  await person.send({ action: 'review', allocations: person.data('allocation').suggestion })
  await person.send({ action: 'confirm' })
  expect(person.view.step).toBe('done')
  const release = () =>
    service.call('POST', `/opal/sessions/${session_id}`, { action: 'release_payments', data: { source } })
  const [first, second] = await Promise.all([release(), release()])
  expect(first.status).toBe(200)
  expect(second.body).toEqual(first.body)
  await settle(96)
  const payments = (await service.call('GET', '/payments')).body['data'] as { status: string; destination: string }[]
  expect(new Set(payments.map(payment => payment.destination)).size).toBe(payments.length)
  expect(payments.map(payment => payment.status)).toEqual(payments.map(() => 'posted'))
})

it('a returned payment requires a reversal', async () => {
  const bank = lender(service)
  const source = (await bank.source()).id
  const destination = (await bank.debts('+15125550110')).accounts[1]!.id
  const { id } = await bank.must('POST', '/payments', { amount: 5_000, source, destination, description: 'x' })
  await settle(240)
  expect(await bank.must('GET', `/payments/${id}`)).toMatchObject({
    status: 'reversal_required',
    error: { code: 10009 },
  })
})

it('products arrive, and a card is verified', async () => {
  const bank = lender(service)
  const { accounts } = await bank.debts('+15125550100')
  for (const product of ['balances', 'updates']) {
    const { id } = await bank.must('POST', `/accounts/${accounts[0]!.id}/${product}`, {})
    const status = async () => {
      await service.settle()
      service.advance(60_000)
      return (await bank.must('GET', `/accounts/${accounts[0]!.id}/${product}/${id}`)).status
    }
    await expect.poll(status, { timeout: 30_000 }).toBe('completed')
  }
})
