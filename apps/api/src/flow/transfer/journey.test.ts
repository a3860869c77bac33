import { expect, it } from 'vitest'
import { fundingAccount, Person, someone, transferToken } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService()

it('a new person links, allocates and confirms; the server releases and payments post', async () => {
  const entity = await someone(service, '+15125550100')
  const source = await fundingAccount(service)
  const { element_token, session_id } = await transferToken(service, entity, { loan_amount: 1_000_000 })
  const person = await Person.arrive(service, element_token)
  await person.consent()
  expect(person.data('code')).toMatchObject({ last4: '0100', editable: false })
  await person.send({ action: 'verify', code: '000000' })
  expect(person.view.errors).toEqual([{ field: 'code', code: 'incorrect', values: { tries_left: 4 } }])
  await person.send({ action: 'verify', code: '123 456' })
  await person.wait()
  const { accounts } = person.data('selection')
  const wanted = accounts.filter(account => account.status !== 'ineligible')
  await person.send({ action: 'select', accounts: wanted.map(account => account.id) })
  const number = person.data('number')
  expect(number.account.status).toBe('needs_number')
  await person.send({ action: 'submit', number: `4111 1111 1111 ${number.account.mask}` })
  const allocation = person.data('allocation')
  await person.send({ action: 'review', allocations: allocation.suggestion })
  await person.send({ action: 'confirm' })
  expect(person.view.step).toBe('done')
  const release = await service.call('POST', `/opal/sessions/${session_id}`, {
    action: 'release_payments',
    data: { source },
  })
  expect(release.status).toBe(200)
  expect(release.body['data']).toMatchObject({ bt: { payout_status: 'released' } })
})
