import type { ViewOf } from '@causeway/contract/session'
import { expect } from '@open-wc/testing'
import { gallery } from '../../../dev/fixtures.js'
import type { Announcement } from '../../requests.js'
import { messageOf, mount } from '../../testing/mount.js'

const view = (name: string) => gallery.deposits[name]! as ViewOf<'deposits'>
const errors = (field: string, code: string, values = {}) => ({ revision: 2, errors: [{ field, code, values }] })
const exits = (screen: HTMLElement) => {
  const asked: string[] = []
  screen.addEventListener('exit-request', ({ type }) => asked.push(type))
  return asked
}

describe('two small deposits', () => {
  for (const [two, three] of [
    ['32', '325'],
    ['٣٢', '٣٢٥'],
    ['۳۲', '.۳۲۵'],
    ['３２', '$0.３２５'],
  ] as const)
    it(`refuse a third digit such as in ${three}, keep the two before it, and say why`, async () => {
      const { find, screen, type } = await mount(gallery.deposits['amounts']!)
      const announced: string[] = []
      screen.addEventListener('announcement', event => announced.push((event as Announcement).text))
      expect((await type('#first', two)).value).to.equal('32')
      const input = await type('#first', three)
      const reason = 'Enter two digits, such as 05 or 32.'
      expect([input.value, messageOf(input), announced]).to.deep.equal(['32', reason, [reason]])
      await type('#first', '3')
      expect([input.value, messageOf(input)]).to.deep.equal(['3', null])
      await type('#second', three)
      expect(find<HTMLInputElement>('#second').value).to.equal('')
    })

  it('are offered for an account with its type and last digits, and sent with one press', async () => {
    const { text, act, sent } = await mount(view('offer'))
    expect(text()).to.contain('Checking account').and.to.contain('ending in 6789')
    expect(text()).not.to.contain('Balance unknown')
    await act()
    expect(sent).to.deep.equal([{ action: 'send' }])
  })

  it('are on their way: the screen shows the date, leaving is the primary action, and a person who has the amounts can continue', async () => {
    const { screen, text, act, press, sent } = await mount(view('sent'))
    const left = exits(screen)
    expect(text()).to.contain('by Nov 25, 2026').and.to.contain('We sent two deposits on Nov 23, 2026')
    await act()
    expect([left, sent]).to.deep.equal([['exit-request'], []])
    await press('I have both amounts')
    expect(sent).to.deep.equal([{ action: 'enter' }])
  })

  it('do not ask for the amounts before they are sent', async () => {
    const { text } = await mount(view('sending'))
    expect(text()).to.contain('We’re sending two deposits')
    expect(text()).not.to.contain('I have both amounts')
  })

  it('move the focus to each new part so that it is announced', async () => {
    const { find, show } = await mount(view('offer'))
    await show({ ...view('sent'), revision: 2 })
    expect(document.activeElement).to.equal(find('h1'))
    expect(find('h1').textContent).to.equal('Your deposits are on their way')
  })
})

describe('their amounts', () => {
  it('are sent in cents, however they are typed or pasted', async () => {
    const { type, act, sent, find } = await mount(view('amounts'))
    await type('#first', '32')
    await type('#second', '$0.05')
    expect(find<HTMLInputElement>('#second').value).to.equal('05')
    await act()
    expect(sent).to.deep.equal([{ action: 'submit', first: 32, second: 5 }])
  })

  it('are not sent while one is missing or invalid, and each field says so', async () => {
    const { type, act, sent, find } = await mount(view('amounts'))
    await type('#first', '3')
    await act()
    expect(sent).to.deep.equal([])
    expect(messageOf(find('#first'))).to.contain('Enter two digits')
    expect(messageOf(find('#second'))).to.equal('Enter both digits.')
    expect(document.activeElement).to.equal(find('#first'))
    await type('#first', '00')
    await act()
    expect(messageOf(find('#first'))).to.contain('Enter two digits')
  })

  it('that are wrong show one message for both, with the remaining attempts, until one is changed', async () => {
    const { type, find, show } = await mount(view('amounts'))
    await type('#first', '32')
    await type('#second', '45')
    await show({ ...view('amounts'), ...errors('amounts', 'incorrect', { tries_left: 1 }) } as never)
    for (const field of ['#first', '#second']) {
      expect(messageOf(find(field))).to.contain('aren’t the two amounts we sent. You have 1 try left.')
      expect(find(field).getAttribute('aria-invalid')).to.equal('true')
    }
    expect(document.activeElement).to.equal(find('#first'))
    expect(find<HTMLInputElement>('#second').value).to.equal('45')
    await type('#second', '46')
    expect(messageOf(find('#first'))).to.equal(null)
  })

  it('that have not arrived yet let the person leave', async () => {
    const { screen, press, sent } = await mount(view('amounts'))
    const left = exits(screen)
    await press('They haven’t arrived yet')
    expect([left, sent]).to.deep.equal([['exit-request'], []])
  })
})

describe('the end of the flow', () => {
  it("shows the account's type, and no balance", async () => {
    const { text } = await mount(gallery.done['bank']!)
    expect(text()).to.contain('Your account is verified').and.to.contain('Checking account')
    expect(text()).not.to.contain('Balance unknown')
  })

  it('says why there is no other attempt, and whom to contact', async () => {
    expect((await mount(gallery.blocked['deposits_locked']!)).text()).to.contain('Too many wrong amounts')
    expect((await mount(gallery.blocked['deposits_returned']!)).text()).to.contain('Ask Northwind Lending to check it')
  })
})
