import type { SessionView, ViewOf } from '@causeway/contract/session'
import { expect } from '@open-wc/testing'
import { capital, chase, gallery } from '../../../dev/fixtures.js'
import { messageOf, mount } from '../../testing/mount.js'

const view = (name: string) => gallery.card[name]! as ViewOf<'card'>
const errors = (field: string | null, code: string, values = {}) => ({ revision: 2, errors: [{ field, code, values }] })

describe('a card', () => {
  it('is sent as it is printed, without the spaces', async () => {
    const { type, act, sent, find } = await mount(view('plain'))
    await type('#number', '4111 1111 1111 1580')
    expect(find<HTMLInputElement>('#number').value).to.equal('4111 1111 1111 1580')
    await type('#expiry', '03/28')
    await type('#code', '878')
    await type('#zip', '78758')
    await act()
    expect(sent).to.deep.equal([
      {
        action: 'submit',
        number: '4111111111111580',
        exp_month: '03',
        exp_year: '2028',
        cvv: '878',
        billing_zip_code: '78758',
      },
    ])
  })

  it('has the ZIP code of the address that the person typed, which they can change', async () => {
    const { screen, type, act, sent } = await mount({
      ...view('plain'),
      data: { ...view('plain').data, zip: '78705' },
    })
    expect(screen.querySelector<HTMLInputElement>('#zip')!.value).to.equal('78705')
    await type('#number', '4111 1111 1111 1580')
    await type('#expiry', '03/28')
    await type('#code', '878')
    await act()
    expect(sent).to.have.length(1)
    expect(sent[0]).to.include({ billing_zip_code: '78705' })
  })

  it('that was not found is sent with its issuer', async () => {
    const { type, act, sent, find, text } = await mount(view('entry'))
    expect(text()).to.contain('Enter your card')
    await type('#number', '4111 1111 1111 1580')
    await type('#expiry', '03/28')
    await type('#code', '878')
    await type('#zip', '78758')
    await act()
    expect([sent, messageOf(find('#issuer'))]).to.deep.equal([[], 'Choose the bank or company that issued the card.'])
    const issuer = find<HTMLSelectElement>('#issuer')
    issuer.value = 'issuer_2'
    issuer.dispatchEvent(new Event('change', { bubbles: true }))
    await act()
    expect(sent).to.have.length(1)
    expect(sent[0]).to.include({ action: 'submit', issuer: 'issuer_2', number: '4111111111111580' })
  })

  it('requests only what is missing', async () => {
    const { screen, type, act, sent } = await mount(view('code'))
    expect([...screen.querySelectorAll('input')].map(input => input.name)).to.deep.equal(['code'])
    await type('#code', '878')
    await act()
    expect(sent).to.deep.equal([{ action: 'submit', cvv: '878' }])
  })

  it('is not sent while a field is missing or invalid, and each field says what is wrong', async () => {
    const { type, act, sent, text } = await mount(view('plain'))
    await type('#number', '4111')
    await type('#expiry', '13/28')
    await act()
    expect(sent).to.deep.equal([])
    for (const said of ['isn’t a whole card number', 'date as it appears', 'three or four digits', 'five digits'])
      expect(text()).to.contain(said)
    await type('#expiry', '01/20')
    await act()
    expect(text()).to.contain('has expired')
  })

  it('says which part did not match and how many attempts remain', async () => {
    const { find, show } = await mount(view('code'))
    await show({ ...view('code'), ...errors('cvv', 'incorrect', { tries_left: 1 }) } as never)
    expect(messageOf(find('#code'))).to.contain('doesn’t match the card. You have 1 try left.')
  })

  it('can be skipped if there are others, but not if it is the only one', async () => {
    const { press, sent } = await mount(view('plain'))
    await press('Skip this card')
    expect(sent).to.deep.equal([{ action: 'skip' }])
    const { text } = await mount(view('only'))
    expect(text()).not.to.contain('Skip this card')
  })

  it('starts blank for the next card', async () => {
    const { type, show, find } = await mount(view('code'))
    await type('#code', '878')
    const { data } = view('code')
    await show({
      ...view('code'),
      revision: 2,
      data: { ...data, account: { ...data.account, id: 'acc_other' } },
    } as never)
    expect(find<HTMLInputElement>('#code').value).to.equal('')
  })
})

describe('each mode', () => {
  it('counts what was connected', async () => {
    const { data, ...rest } = gallery.done['cards'] as Extract<SessionView, { step: 'done' }>
    const two = { ...rest, data: { ...data, accounts: [chase, capital] } }
    const { find, text } = await mount(two)
    expect(find('h1').textContent).to.equal('Your cards are connected')
    expect(text()).to.contain('You chose 2 cards')
    const one = await mount({ ...two, mode: 'connect', data: { ...data, accounts: [chase] } })
    expect(one.find('h1').textContent).to.equal('Your account is connected')
  })

  it('explains its own requests, and not those of another mode', async () => {
    expect((await mount(gallery.number['plain']!)).text()).to.contain('the payment reaches your account')
    expect((await mount(gallery.number['only']!)).text()).not.to.contain('payment')
    expect((await mount(gallery.details['plain']!)).text()).to.match(/find your accounts.*Social Security number/)
    expect((await mount(gallery.details['short']!)).text()).not.to.contain('Social Security')
    const who = { ...gallery.details['plain']!, mode: 'identity_verification' } as SessionView
    expect((await mount(who)).text()).not.to.contain('accounts')
  })

  for (const [state, asks, ends] of [
    ['identity', 'confirm who you are', 'Your identity is verified'],
    ['account', 'verify your account', 'Your account is verified'],
    ['cards', 'connect your cards', 'Your card is connected'],
    ['transactions', 'Share your card purchases', 'Your card is connected'],
  ] as const)
    it(`of ${state} states its purpose at the beginning and at the end`, async () => {
      expect((await mount(gallery.consent[state]!)).find('h1').textContent).to.contain(asks)
      expect((await mount(gallery.done[state]!)).find('h1').textContent).to.equal(ends)
    })
})
