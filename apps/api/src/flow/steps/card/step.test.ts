import { describe, expect, it } from 'vitest'
import { Person, someone, verify } from '../../../testing/frame.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

/** Takes a sandbox person to the step where they choose cards to connect. */
async function arrive(selection_type: string, phone = '+15121231111') {
  const entity_id = await someone(service, phone)
  const made = await service.call('POST', '/opal/token', {
    mode: 'card_connect',
    entity_id,
    card_connect: { selection_type },
  })
  return verify(service, await Person.arrive(service, (made.body['data'] as { token: string }).token))
}
/** The card from the sandbox's documented inputs. */
const printed = { number: '5555555555551580', exp_month: '03', exp_year: '2028', cvv: '878', billing_zip_code: '78758' }
/** Submits only the card fields that the step requests. */
const show = (person: Person, card: Partial<typeof printed> = printed) => {
  const { fields } = person.data('card')
  return person.send({ action: 'submit', ...Object.fromEntries(fields.map(field => [field, card[field] ?? ''])) })
}
const isChase = ({ mask }: { mask: string | null }) => mask === '1580'

describe('card', () => {
  it('prefills the ZIP code from the address typed in this session, and otherwise leaves it empty', async () => {
    const zipOf = async (phone?: string) => {
      const person = await arrive('multiple', phone)
      const cards = person.data('selection').accounts.map(account => account.id)
      await person.send({ action: 'select', accounts: cards })
      return person.data('card').zip
    }
    expect(await zipOf('+15125550103')).toBe('78705')
    expect(await zipOf()).toBe(null)
  })

  it('asks again only for the incorrect fields, and names them', async () => {
    const person = await arrive('single')
    const { id } = person.data('selection').accounts.find(isChase)!
    await person.send({ action: 'select', accounts: [id] })
    await show(person, { ...printed, cvv: '111' })
    expect(person.view.errors).toEqual([{ field: 'cvv', code: 'incorrect', values: { tries_left: 4 } }])
    expect(person.data('card')).toMatchObject({ fields: ['cvv'], tries_left: 4 })
    await show(person)
    expect(person.view.step).toBe('done')
  })

  it('reports missing and malformed fields without using an attempt', async () => {
    const person = await arrive('single')
    await person.send({ action: 'select', accounts: [person.data('selection').accounts.find(isChase)!.id] })
    const { fields } = person.data('card')
    await person.send({ action: 'submit' })
    expect(person.view.errors).toEqual(fields.map(field => ({ field, code: 'required', values: {} })))
    await show(person, { ...printed, cvv: 'abc' })
    expect(person.view.errors).toEqual([{ field: 'cvv', code: 'invalid', values: {} }])
    expect(person.data('card').tries_left).toBe(5)
  })

  it("shares a card's attempts with sessions that the customer started", async () => {
    const person = await arrive('multiple')
    const chase = person.data('selection').accounts.find(isChase)!
    const other = person.data('selection').accounts.find(each => !isChase(each))!
    await person.send({ action: 'select', accounts: [chase.id, other.id] })
    const path = `/accounts/${chase.id}/verification_sessions`
    const { id } = (await service.call('POST', path, { type: 'pre_auth' })).body
    const wrongly = { ...printed, cvv: '111' }
    for (let tries = 0; tries < 3; tries++) await service.call('PUT', `${path}/${id}`, { pre_auth: wrongly })
    await person.look()
    while (person.data('card').account!.id !== chase.id) await person.send({ action: 'skip' })
    expect(person.data('card').tries_left).toBe(2)
    await show(person, wrongly)
    expect(person.view.errors).toEqual([{ field: 'cvv', code: 'incorrect', values: { tries_left: 1 } }])
    await show(person, wrongly)
    expect(person.view.errors).toEqual([{ field: null, code: 'card_refused', values: { account: chase.id } }])
  })

  it('drops a card after too many attempts, and continues with the others', async () => {
    const person = await arrive('multiple')
    const cards = person.data('selection').accounts.map(account => account.id)
    expect(cards.length).toBeGreaterThan(1)
    await person.send({ action: 'select', accounts: cards })
    const account = person.data('card').account!
    for (let turn = 0; turn < 5; turn++) await show(person, { ...printed, cvv: '000' })
    expect(person.view.errors).toEqual([{ field: null, code: 'card_refused', values: { account: account.id } }])
    expect(person.data('card')).toMatchObject({ index: 2, count: cards.length })
    await person.send({ action: 'back' })
    expect(person.data('selection').accounts.find(each => each.id === account.id)).toMatchObject({
      status: 'ineligible',
      reason: 'number_refused',
    })
  })
})
