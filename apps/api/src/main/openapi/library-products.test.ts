/** Tests account products with an existing server library. See testing/library.ts. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { common, expectRefusal, keys, keysOf, library, startLender } from '../../testing/library.js'

const lender = await startLender()
const method = lender.method
// Allows codes to be sent to the same number again.
beforeEach(() => lender.service.advance(3_600_001))

describe('products of accounts', () => {
  let card: string
  let loan: string
  beforeAll(async () => {
    const entity = await lender.verified('+15121231111')
    const { accounts } = await method.entities(entity).connect.create()
    await lender.service.settle()
    const held = await Promise.all((accounts as string[]).map(id => method.accounts.retrieve(id)))
    const of = (type: string) => held.find(account => account.liability?.type === type)!.id
    card = of('credit_card')
    loan = of('auto_loan')
    for (const [id, type, block] of [
      [card, 'network', { cvv: '878' }],
      [loan, 'standard', { number: '7000008130' }],
    ] as const) {
      const session = await method.accounts(id).verificationSessions.create({ type } as never)
      const proven = await method.accounts(id).verificationSessions.update(session.id, { [type]: block } as never)
      expect(proven).toMatchObject({ status: 'verified', [type]: { number: 'xxxxxxxxxxxxxxxx' } })
    }
  })

  it('a payoff', async () => {
    const made = await method.accounts(loan).payoffs.create()
    await lender.service.settle()
    const told = await method.accounts(loan).payoffs.retrieve(made.id)
    expect(keysOf(told)).toEqual(keys(`id account_id status amount per_diem_amount term ${common}`))
    expect(told).toMatchObject({ status: 'completed', amount: 6083988, term: 15, per_diem_amount: null })
    expect(await method.accounts(loan).payoffs.list()).toEqual([told])
  })

  it('a card brand, and its product under the singular path', async () => {
    const made = await method.accounts(card).cardBrands.create()
    expect(made).toMatchObject({ status: 'in_progress', brands: [], shared: false, source: null })
    await lender.service.settle()
    const [told] = await method.accounts(card).cardBrands.list()
    expect(keysOf(told)).toEqual(keys(`id account_id brands status shared source ${common}`))
    const brand = told!.brands[0] as unknown as { card_product_id: string }
    const product = await method.cardProducts.retrieve(brand.card_product_id)
    expect(product).toMatchObject({
      id: brand.card_product_id,
      brands: expect.arrayContaining([expect.objectContaining({ network: 'visa' })]),
    })
  })

  it('full numbers', async () => {
    const made = await method.accounts(card).sensitive.create({ expand: ['credit_card.number'] } as never)
    expect(made).toMatchObject({
      status: 'completed',
      credit_card: { number: '5555555555551580', exp_month: null, exp_year: null, cvv: null, billing_zip_code: null },
    })
    expect(await method.accounts(card).sensitive.retrieve(made.id)).toEqual(made)
  })

  it('attributes: all of them if the request names none', async () => {
    const made = await method.accounts(card).attributes.create()
    expect(made.status).toBe('completed')
    expect(keysOf(made.attributes)).toEqual(Object.values(library.AccountAttributeNames).sort())
    expect(await method.accounts(card).attributes.list()).toEqual([made])
  })

  it('instruments of both kinds in its version', async () => {
    const instruments = method.accounts(card).paymentInstruments
    for (const type of Object.values(library.PaymentInstrumentTypes)) {
      const made = await instruments.create({ type } as never)
      await lender.service.settle()
      const told = await instruments.retrieve(made.id)
      expect(told).toMatchObject({ id: made.id, type, status: 'completed' })
      expect(told).not.toHaveProperty('inbound_achwire_payment')
    }
  })

  it('transactions only if the card was verified by its network', async () => {
    const error = await expectRefusal(method.accounts(card).subscriptions.create('transaction' as never))
    expect(error.sub_type).toBe('PRODUCT_UNAVAILABLE')
  })

  it('by name', async () => {
    expect(keysOf(await method.accounts(card).products.list())).toEqual(
      keys('balance payment sensitive update attribute transaction card_brand payoff payment_instrument'),
    )
  })
})
