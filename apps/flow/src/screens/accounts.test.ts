// biome-ignore-all lint/style/noExcessiveLinesPerFile: it checks the text for each rule on these screens.
/** Tests the screens from the choice of accounts to the end of the flow. */
import type { ViewOf } from '@causeway/contract/session'
import { waitFor } from '@causeway/ui/testing/wait-for'
import { aTimeout, expect, oneEvent } from '@open-wc/testing'
import { sendKeys, sendMouse } from '@web/test-runner-commands'
import { chase, gallery } from '../../dev/fixtures.js'
import type { Announcement, TotalsChange } from '../requests.js'
import { type Mounted, messageOf, mount } from '../testing/mount.js'

/** Returns the text of the split that the amounts screen shows as chosen. */
const splitOf = (find: Mounted['find']) => find<HTMLSelectElement>('#split').selectedOptions[0]!.text.trim()

const errors = (field: string | null, code: string, values = {}) => ({ revision: 2, errors: [{ field, code, values }] })

describe('selection', () => {
  it("updates the button's label as accounts are chosen", async () => {
    const { find, sent, act, screen } = await mount(gallery.selection['empty']!)
    find('input[value="acc_A"]').click()
    find('input[value="acc_B"]').click()
    await screen.updateComplete
    expect(find('.cta').textContent.trim()).to.equal('Continue with 2 accounts · $8,712.40')
    await act()
    expect(sent).to.deep.equal([{ action: 'select', accounts: ['acc_A', 'acc_B'] }])
  })

  it('sends nothing if nothing is chosen, and says so', async () => {
    const { sent, act, text } = await mount(gallery.selection['empty']!)
    await act()
    expect(sent).to.deep.equal([])
    expect(text()).to.contain('Choose at least one account.')
  })

  it('says how much is missing if the balances of the chosen accounts are too low for the loan', async () => {
    const { sent, act, text, find, screen } = await mount(gallery.selection['empty']!)
    find('input[value="acc_C"]').click()
    await screen.updateComplete
    expect(find('.caution').textContent).to.contain('$6,609.89')
    expect(find('.lead').textContent).to.contain('At least $8,500.00 of the loan must go to your accounts.')
    await act()
    expect(sent).to.deep.equal([])
    expect(text()).to.contain('Choose accounts that can take $6,609.89 more')
  })

  it('says which accounts the customer sees, if some can be left out', async () => {
    const note = async (state: string) => (await mount(gallery.selection[state]!)).find('p.hint')?.textContent
    expect(await note('connect')).to.equal('Northwind Lending sees only the accounts you choose.')
    const orShared = 'Northwind Lending sees only the accounts you choose or already share.'
    expect(await note('single')).to.equal(orShared)
    expect(await note('plain')).to.equal(orShared)
    expect(await note('seen')).to.contain('Northwind Lending can also see the accounts you don’t choose')
    expect((await mount(gallery.selection['all']!)).text()).not.to.match(/sees only|can also see/)
  })

  it('shows the total owed, and can be sorted', async () => {
    const { text, find, screen } = await mount(gallery.selection['many']!)
    expect(text()).to.contain('We found 5 accounts. You owe $24,622.51 in total.')
    const names = () => [...screen.querySelectorAll('label .row-name')].map(({ textContent }) => textContent)
    const sort = async (order: string) => {
      const list = find<HTMLSelectElement>('#sort')
      list.value = order
      list.dispatchEvent(new Event('change'))
      await screen.updateComplete
      return names()
    }
    const balances = names()
    expect(balances.slice(0, 2)).to.deep.equal(['FedLoan student loan', 'Chase Sapphire Reserve'])
    expect((await sort('rate'))[0]).to.equal('Chase Sapphire Reserve')
    expect((await sort('name'))[0]).to.equal('American Express Gold')
    expect(await sort('balance')).to.deep.equal(balances)
    expect((screen as { entered?: boolean }).entered).to.equal(false)
  })

  it('states the total as “at least” the known balances if one is unknown', async () => {
    const { text, screen } = await mount(gallery.selection['unknown']!)
    expect(text()).to.contain('You owe at least $5,212.40 in total.')
    expect(screen.querySelector('#sort')).to.equal(null)
  })

  it('selects all accounts that owe something at once, and leaves out those that owe nothing', async () => {
    const { press, act, sent } = await mount(gallery.selection['many']!)
    await press('Select all with a balance')
    await act()
    const accounts = ['acc_A', 'acc_B', 'acc_C', 'acc_D']
    expect(sent).to.deep.equal([{ action: 'select', accounts, future_accounts: false }])
    await press('Clear')
    await act()
    expect(sent).to.have.length(1)
  })

  it('asks about later accounts in the last row, after the accounts', async () => {
    const { screen } = await mount(gallery.selection['many']!)
    const names = [...screen.querySelectorAll<HTMLInputElement>('.row input')].map(({ name }) => name)
    expect(names.slice(-2)).to.deep.equal(['accounts', 'future_accounts'])
    const note = screen.querySelector('#future-note')!
    expect(note.textContent).to.contain('until you withdraw your permission')
  })

  it("shows the card's art instead of the logo, in its own shape", async () => {
    const { screen, find } = await mount(gallery.selection['plain']!)
    await waitFor(() => screen.querySelector('.mono img.card:not([hidden])'), 'the card is shown')
    const { width, height } = find('.mono img.card').getBoundingClientRect()
    expect(Math.round((width / height) * 100)).to.equal(158)
    expect(getComputedStyle(find('.mono:has(img.card)')).backgroundColor).to.equal('rgba(0, 0, 0, 0)')
  })

  it('shows a logo once it has loaded, and the monogram if there is none', async () => {
    const view = gallery.selection['many'] as Extract<(typeof gallery.selection)[string], { step: 'selection' }>
    const [first, second, third] = view.data.accounts
    const broken = { ...second!, logo: 'data:image/png;base64,AAAA' }
    const accounts = [{ ...first!, card: null }, broken, { ...third!, balance: 1 }]
    const { screen } = await mount({ ...view, data: { ...view.data, accounts } })
    const [none, failed, shown] = [...screen.querySelectorAll('label .mono')]
    expect(none!.querySelector('img')).to.equal(null)
    await waitFor(() => !shown!.querySelector('img')!.hidden)
    await waitFor(() => failed!.querySelector('img')!.complete)
    expect([none, failed].map(each => each!.textContent?.trim())).to.deep.equal(['CH', 'CO'])
    expect(failed!.querySelector('img')!.hidden).to.equal(true)
  })

  it("keeps accounts that can't be chosen visible, with the reason", async () => {
    const { text, screen } = await mount(gallery.selection['plain']!)
    expect(text()).to.contain('Can’t receive payments from this loan')
    expect(screen.querySelectorAll('input[value="acc_D"]')).to.have.length(0)
  })

  it('replaces the first choice with the second if only one account is requested', async () => {
    const { find, sent, act } = await mount(gallery.selection['single']!)
    find('input[value="acc_C"]').click()
    await act()
    expect(sent).to.deep.equal([{ action: 'select', accounts: ['acc_C'], future_accounts: false }])
  })

  it('offers no choice if all accounts are used', async () => {
    const { screen, sent, act } = await mount(gallery.selection['all']!)
    expect(screen.querySelectorAll('[name="accounts"]')).to.have.length(0)
    await act()
    const accounts = ['acc_A', 'acc_B', 'acc_C']
    expect(sent).to.deep.equal([{ action: 'select', accounts, future_accounts: false }])
  })

  it('shares later accounts only if the person checks the box, which works by keyboard and explains what it means', async () => {
    const { find, sent, act, screen } = await mount(gallery.selection['connect']!)
    const box = find<HTMLInputElement>('[name="future_accounts"]')
    expect([box.type, box.checked]).to.deep.equal(['checkbox', false])
    const [name, note] = ['aria-labelledby', 'aria-describedby'].map(attribute =>
      document.getElementById(box.getAttribute(attribute) ?? ''),
    )
    expect(name?.textContent).to.equal('Also share accounts that I open later')
    expect(note?.textContent).to.contain('until you withdraw your permission there')
    const last = [...screen.querySelectorAll<HTMLInputElement>('[name="accounts"]')].at(-1)!
    last.focus()
    await sendKeys({ press: 'Tab' })
    expect(document.activeElement).to.equal(box)
    await sendKeys({ press: ' ' })
    await screen.updateComplete
    await act()
    const ticked = { action: 'select', accounts: ['acc_A', 'acc_B'], future_accounts: true }
    expect(sent).to.deep.equal([ticked])
    await sendKeys({ press: ' ' })
    await act()
    expect(sent.at(-1)).to.deep.equal({ ...ticked, future_accounts: false })
  })

  it('keeps the choice about later accounts when the person returns to the selection', async () => {
    const { find } = await mount(gallery.selection['future']!)
    expect(find<HTMLInputElement>('[name="future_accounts"]').checked).to.equal(true)
  })

  it('sends nothing about later accounts if the screen does not ask about them', async () => {
    const { screen, sent, act } = await mount(gallery.selection['plain']!)
    expect(screen.querySelector('[name="future_accounts"]')).to.equal(null)
    await act()
    expect(sent).to.deep.equal([{ action: 'select', accounts: ['acc_A', 'acc_B'] }])
  })

  it('keeps the choice after an error', async () => {
    const { find, show, screen } = await mount(gallery.selection['empty']!)
    find('input[value="acc_A"]').click()
    await show({ ...gallery.selection['empty']!, ...errors('accounts', 'not_eligible') } as never)
    expect([...screen.querySelectorAll<HTMLInputElement>(':checked')].map(input => input.value)).to.deep.equal([
      'acc_A',
    ])
  })
})

describe('number', () => {
  it('is grouped as it is typed, hidden once the field loses focus, and sent without separators', async () => {
    const { type, find, sent, act, screen } = await mount(gallery.number['plain']!)
    const input = await type('#number', '4111-1111 11110342')
    expect(input.value).to.equal('4111 1111 1111 0342')
    input.blur()
    await screen.updateComplete
    expect(input.value).to.equal('•••• •••• •••• 0342')
    find('.worded').click()
    await screen.updateComplete
    expect(input.value).to.equal('4111 1111 1111 0342')
    await act()
    expect(sent).to.deep.equal([{ action: 'submit', number: '4111111111110342' }])
  })

  it('has a button that says whether the number is visible, and hides it even while the field has the focus', async () => {
    const { type, find, screen } = await mount(gallery.number['plain']!)
    const input = await type('#number', '4111111111110342')
    const button = find('.worded')
    const state = () => [button.getAttribute('aria-label'), button.getAttribute('aria-pressed'), input.value[0]]
    expect(state()).to.deep.equal(['Hide the number', 'true', '4'])
    const { left, top, width, height } = button.getBoundingClientRect()
    const position: [number, number] = [Math.round(left + width / 2), Math.round(top + height / 2)]
    await sendMouse({ type: 'click', position })
    await screen.updateComplete
    expect(state()).to.deep.equal(['Show the number', 'false', '•'])
    await sendKeys({ press: 'Enter' })
    await screen.updateComplete
    expect(state()).to.deep.equal(['Hide the number', 'true', '4'])
  })

  it('of a card can be filled in, and one with letters can be typed', async () => {
    const fieldOf = async (state: string) => (await mount(gallery.number[state]!)).find<HTMLInputElement>('#number')
    const card = await fieldOf('plain')
    expect([card.getAttribute('autocomplete'), card.inputMode]).to.deep.equal(['cc-number', 'numeric'])
    const loan = await fieldOf('loan')
    expect([loan.getAttribute('autocomplete'), loan.inputMode]).to.deep.equal(['off', 'text'])
  })

  it('that ends in other digits is questioned once, and sent when it is submitted again', async () => {
    const { type, find, sent, act } = await mount(gallery.number['plain']!)
    await type('#number', '4111111111119999')
    await act()
    expect(messageOf(find('#number'))).to.contain('That number doesn’t end in 0342')
    expect(sent).to.deep.equal([])
    await act()
    expect(sent).to.deep.equal([{ action: 'submit', number: '4111111111119999' }])
  })

  it('that is rejected is kept, with the remaining attempts', async () => {
    const { type, find, show } = await mount(gallery.number['plain']!)
    await type('#number', '4111111111110342')
    await show({ ...gallery.number['plain']!, ...errors('number', 'incorrect', { tries_left: 2 }) } as never)
    expect(messageOf(find('#number'))).to.equal('Capital One didn’t recognize that number. You have 2 tries left.')
    expect(find<HTMLInputElement>('#number').value).to.contain('0342')
  })

  it('starts empty for the next account', async () => {
    const view = gallery.number['plain'] as ViewOf<'number'>
    const { type, find, show } = await mount(view)
    await type('#number', '4111111111110342')
    await show({ ...view, revision: 2, data: { ...view.data, account: { ...chase, status: 'needs_number' } } })
    expect(find<HTMLInputElement>('#number').value).to.equal('')
  })

  it('can be skipped', async () => {
    const { press, sent } = await mount(gallery.number['plain']!)
    await press('Skip this account')
    expect(sent).to.deep.equal([{ action: 'skip' }])
  })
})

describe('allocation', () => {
  const meter = (text: string) => /(?:Left to assign|Over your loan by) (\S+)/.exec(text)?.[1]

  it("starts with the view's amounts, and sends whole cents", async () => {
    const { find, sent, act } = await mount(gallery.allocation['plain']!)
    expect(find<HTMLInputElement>('#acc_A').value).to.equal('5,212.40')
    await act()
    expect(sent).to.deep.equal([{ action: 'review', allocations: { acc_A: 521_240, acc_B: 350_000 } }])
  })

  it('reports an amount above the balance immediately, with the highest allowed amount', async () => {
    const { type, find, text } = await mount(gallery.allocation['plain']!)
    const input = await type('#acc_B', '3900')
    expect(messageOf(input)).to.equal('That’s $400.00 more than you owe. Enter up to $3,500.00.')
    expect(meter(text())).to.equal('$887.60')
    expect(find('.cta').classList.contains('idle')).to.equal(true)
  })

  it('reports an amount as too small only once it is finished', async () => {
    const { type, screen } = await mount(gallery.allocation['plain']!)
    const input = await type('#acc_B', '3')
    expect(messageOf(input)).to.equal(null)
    input.blur()
    await screen.updateComplete
    expect(messageOf(input)).to.equal('Enter at least $50.00, or 0 to skip this account.')
    expect(input.value).to.equal('3.00')
  })

  it('keeps text that is not an amount, and reports it when the field loses focus', async () => {
    const { type, screen } = await mount(gallery.allocation['plain']!)
    const input = await type('#acc_B', '12,34')
    input.blur()
    await screen.updateComplete
    expect(input.value).to.equal('12,34')
    expect(messageOf(input)).to.contain('such as 1,250.00')
  })

  it('reports a total over the loan in the meter, and sends nothing', async () => {
    const three = gallery.allocation['three'] as ViewOf<'allocation'>
    const { type, text, act, sent } = await mount(three)
    await type('#acc_C', '1890.11')
    expect(meter(text())).to.equal('$602.51')
    expect(text()).to.contain('You’re $602.51 over your $10,000 loan')
    await act()
    expect(sent).to.deep.equal([])
  })

  it('reports one mistake once: next to its amount, not also in the meter', async () => {
    const { type, find, text, screen } = await mount(gallery.allocation['three']!)
    const input = await type('#acc_B', '9000')
    expect(messageOf(input)).to.contain('more than you owe')
    expect(meter(text())).to.equal('$5,500.00')
    expect(screen.querySelector('.meter-say')).to.equal(null)
    await type('#acc_B', '3500')
    await type('#acc_C', '1890.11')
    expect(find('.meter-say').textContent).to.contain('Lower an amount')
  })

  it('too little says how much more has to be assigned', async () => {
    const { press, text, act, sent, find, choose } = await mount(gallery.allocation['plain']!)
    await choose('#split', 'No amounts')
    await press('Pay the current balance of Chase Sapphire Reserve')
    expect(text()).to.contain('Assign $3,287.60 more to continue.')
    await act()
    expect(sent).to.deep.equal([])
    expect(document.activeElement === find('.meter-say')).to.equal(true)
  })

  it('applies the quick changes as labeled', async () => {
    const { press, find, choose } = await mount(gallery.allocation['three']!)
    const values = () => ['#acc_A', '#acc_B', '#acc_C'].map(id => find<HTMLInputElement>(id).value)
    await choose('#split', 'Even split')
    expect(values()).to.deep.equal(['4,609.89', '3,500.00', '1,890.11'])
    await press('Pay nothing to Capital One Venture')
    expect(values()[1]).to.equal('')
    await choose('#split', 'Highest rate first')
    expect(values()).to.deep.equal(['5,212.40', '3,500.00', '1,287.60'])
    await choose('#split', 'Lowest balance first')
    expect(values()).to.deep.equal(['4,609.89', '3,500.00', '1,890.11'])
    await choose('#split', 'Highest balance first')
    expect(values()).to.deep.equal(['5,212.40', '3,500.00', '1,287.60'])
    await choose('#split', 'No amounts')
    expect(values()).to.deep.equal(['', '', ''])
  })

  it('shows one split as applied, even if others have the same amounts: the last one chosen, then the initial one', async () => {
    const view = gallery.allocation['three'] as ViewOf<'allocation'>
    const { choose, type, find, show } = await mount(view)
    const applied = () => splitOf(find)
    expect(applied()).to.equal('Highest rate first')
    await choose('#split', 'Highest balance first')
    expect(applied()).to.equal('Highest balance first')
    await type('#acc_A', '1')
    expect(applied()).to.equal('Your own amounts')
    await type('#acc_A', '5212.40')
    expect(applied()).to.equal('Highest balance first')
    await choose('#split', 'No amounts')
    await type('#acc_A', '5212.40')
    await type('#acc_B', '3500')
    await type('#acc_C', '1287.60')
    expect(applied()).to.equal('Highest rate first')
    await choose('#split', 'No amounts')
    await show({ ...view, revision: 2, data: { ...view.data, strategy: 'lowest_balance' } })
    await type('#acc_A', '5212.40')
    await type('#acc_B', '3500')
    await type('#acc_C', '1287.60')
    expect(applied()).to.equal('Highest rate first')
  })

  it("shows each account's rate, and explains where the initial amounts came from", async () => {
    const view = gallery.allocation['three'] as ViewOf<'allocation'>
    const { text, show, find } = await mount(view)
    for (const part of ['27.5% APR', '24.9% APR', '19.2% APR', 'We started with the highest rates'])
      expect(text()).to.contain(part)
    expect(splitOf(find)).to.equal('Highest rate first')
    await show({ ...view, data: { ...view.data, allocations: { acc_A: 500_000 } } })
    expect(text()).to.contain('These are the amounts you chose')
  })

  it('offers the splits in a single row of an inline flow', async () => {
    const { find, choose } = await mount(gallery.allocation['three']!)
    const row = find('.split')
    row.style.inlineSize = '249px'
    const { height } = row.getBoundingClientRect()
    expect(height).to.be.lessThan(60)
    await choose('#split', 'Lowest balance first')
    expect(row.getBoundingClientRect().height).to.equal(height)
    const select = find<HTMLSelectElement>('#split')
    expect(select.labels![0]!.textContent).to.equal('Split')
    expect(select.scrollWidth).to.be.at.most(select.clientWidth)
  })

  it('does not offer splits for a single account', async () => {
    expect((await mount(gallery.allocation['dropped']!)).screen.querySelector('#split')).to.equal(null)
  })

  it('does not offer “Highest rate first” if no rate is known', async () => {
    const view = gallery.allocation['three'] as ViewOf<'allocation'>
    const accounts = view.data.accounts.map(account => ({ ...account, apr: null }))
    const { text } = await mount({ ...view, data: { ...view.data, accounts } })
    expect(text()).to.contain('rate unknown')
    expect(text()).to.contain('We started with the highest balances')
    expect(text()).not.to.contain('Highest rate first')
  })

  it('selects an amount at the first click, and lets the second one place the caret', async () => {
    const { find } = await mount(gallery.allocation['three']!)
    const field = find<HTMLInputElement>('.boxed input')
    const click = (caret: number) => {
      field.focus()
      field.setSelectionRange(caret, caret)
      field.click()
      return field.value.slice(field.selectionStart!, field.selectionEnd!)
    }
    expect(click(2)).to.equal(field.value).and.not.to.equal('')
    expect(click(2)).to.equal('')
    field.blur()
    expect(click(2)).to.equal(field.value)
  })

  it("estimates the interest that the amounts save if the loan's rate is known", async () => {
    const { text, type, choose } = await mount(gallery.allocation['saving']!)
    expect(text()).to.contain('Estimated interest saved in the first year')
    expect(text()).to.contain('$1,260.29')
    expect(text()).to.contain('It compares your accounts’ rates with your loan’s rate, 11.99%')
    await type('#acc_B', '0')
    expect(text()).to.contain('$808.44')
    await choose('#split', 'No amounts')
    expect(text()).not.to.contain('Estimated interest')
    expect((await mount(gallery.allocation['plain']!)).text()).not.to.contain('Estimated interest')
  })

  it('says that accounts with an unknown rate are left out of the estimate', async () => {
    const view = gallery.allocation['saving'] as ViewOf<'allocation'>
    const [first, second] = view.data.accounts
    const data = { ...view.data, accounts: [first!, { ...second!, apr: null }] }
    const { text } = await mount({ ...view, data })
    expect(text()).to.contain('$808.44')
    expect(text()).to.contain('unknown rate aren’t counted')
  })

  it('offers no amount below the minimum payment', async () => {
    const { screen, press, text, type } = await mount(gallery.allocation['three']!)
    await press('Pay nothing to Upstart personal loan')
    await type('#acc_B', '4,787.60')
    expect(screen.querySelectorAll('.alloc-in .second')).to.have.length(2)
    expect(text()).not.to.contain('Up to $0.00')
  })

  it('never assigns more than is left of the loan with one press', async () => {
    const { press, find } = await mount(gallery.allocation['three']!)
    await press('Pay nothing to Upstart personal loan')
    await press('Up to $1,287.60 for Upstart personal loan')
    expect(find<HTMLInputElement>('#acc_C').value).to.equal('1,287.60')
  })

  it('reports the totals once typing pauses', async () => {
    const { type, screen } = await mount(gallery.allocation['plain']!)
    let told = 0
    screen.addEventListener('totals-change', () => {
      told += 1
    })
    await type('#acc_B', '3')
    await type('#acc_B', '300')
    const next = oneEvent(screen, 'totals-change') as Promise<TotalsChange>
    const event = await next
    expect(event.totals).to.deep.equal({ total: 551_240, residual: 448_760 })
    await aTimeout(0)
    expect(told).to.equal(1)
  })

  it("shows the service's errors next to their accounts", async () => {
    const view = gallery.allocation['plain'] as ViewOf<'allocation'>
    const { show, find } = await mount(view)
    await show({ ...view, ...errors('acc_B', 'account_unpayable') } as never)
    expect(messageOf(find('#acc_B'))).to.contain('can’t be paid')
  })

  it("leads back if the terms can't be met, and sends no amounts", async () => {
    const { act, sent, text } = await mount(gallery.allocation['infeasible']!)
    expect(text()).to.contain('These accounts are $3,287.60 short')
    expect(text()).not.to.contain('Left to assign')
    await act()
    expect(sent).to.deep.equal([{ action: 'back' }])
  })
})

describe('review and done', () => {
  it('shows every amount, what stays, and sends the confirmation', async () => {
    const { text, act, sent } = await mount(gallery.review['plain']!)
    for (const part of ['$5,212.40', '$3,500.00', 'Not used for payoffs', '$1,287.60', '$10,000.00', 'current balance'])
      expect(text()).to.contain(part)
    expect(text()).not.to.contain('in full')
    await act()
    expect(sent).to.deep.equal([{ action: 'confirm', locale: 'en-US' }])
  })

  it('the amounts can be changed until the release', async () => {
    const { press, sent } = await mount(gallery.done['plain']!)
    await press('Change amounts')
    expect(sent).to.deep.equal([{ action: 'edit' }])
    const released = await mount(gallery.done['released']!)
    expect(released.text()).not.to.contain('Change amounts')
  })

  it("shows each payment's status after the release, including that of a missing payment", async () => {
    const { text } = await mount(gallery.done['released']!)
    for (const part of [
      'On its way',
      'until it arrives',
      'Not made',
      'Northwind Lending can tell you what happens next',
    ])
      expect(text()).to.contain(part)
  })

  it('offers to contact the customer if a payment was lost and there is a contact', async () => {
    const view = gallery.done['released'] as ViewOf<'done'>
    const { find, screen, show } = await mount(view)
    expect(find<HTMLAnchorElement>('.dock a.second').href).to.equal('https://northwind.example/help')
    await show({ ...view, brand: { ...view.brand, support_url: null } })
    expect(screen.querySelector('.dock a.second')).to.equal(null)
    await show({ ...view, data: { ...view.data, payments: { acc_A: 'posted', acc_B: 'processing' } } })
    expect(screen.querySelector('.dock a.second')).to.equal(null)
  })

  it('follows the payments, and says a new title aloud', async () => {
    const released = gallery.done['released']! as ViewOf<'done'>
    const { screen, show, text } = await mount(released)
    const said = oneEvent(screen, 'announcement') as Promise<Announcement>
    await show({ ...released, data: { ...released.data, payments: { acc_A: 'posted', acc_B: 'pending' } } } as never)
    expect((await said).text).to.equal('Your payments are on their way')
    expect(text()).to.contain('Paid')
    expect(text()).not.to.contain('Not made')
    await show({
      ...released,
      data: { ...released.data, payments: { acc_A: 'reversal_required', acc_B: 'posted' } },
    } as never)
    expect(text()).to.contain('Being sent back')
  })

  it('summarizes all payments in the title', async () => {
    const released = gallery.done['released']! as ViewOf<'done'>
    const titleOf = async (acc_A: string | null, acc_B: string | null) => {
      const { find } = await mount({ ...released, data: { ...released.data, payments: { acc_A, acc_B } } })
      return find('h1').textContent
    }
    expect(await titleOf('processing', 'posted')).to.equal('Your payments are on their way')
    expect(await titleOf('settled', 'posted')).to.equal('Your payments have arrived')
    expect(await titleOf('posted', 'reversed')).to.equal('Not every payment went through')
    expect(await titleOf('processing', null)).to.equal('Not every payment went through')
    expect(await titleOf('reversed', 'failed')).to.equal('Your payments didn’t go through')
    expect(await titleOf(null, null)).to.equal('Your payments couldn’t be made')
  })

  it('done ends it', async () => {
    const { screen, act } = await mount(gallery.done['plain']!)
    const asked = oneEvent(screen, 'exit-request')
    await act()
    expect((await asked).type).to.equal('exit-request')
  })
})

describe('blocked', () => {
  it('offers a retry if it can help', async () => {
    const { act, sent } = await mount(gallery.blocked['credit_freeze']!)
    await act()
    expect(sent).to.deep.equal([{ action: 'retry' }])
  })

  it('says how to reach the bureau if the file is frozen', async () => {
    const { screen, text } = await mount(gallery.blocked['credit_freeze']!)
    expect(text()).to.contain('Lift the freeze with Example Bureau, then come back.')
    const [site, call] = [...screen.querySelectorAll<HTMLAnchorElement>('.ways a')]
    expect([site!.href, site!.rel]).to.deep.equal(['https://bureau.example/freeze', 'noopener noreferrer'])
    expect([call!.href, call!.textContent]).to.deep.equal(['tel:+18005550199', 'Call 1-800-555-0199'])
    const unnamed = await mount(gallery.blocked['freeze_unnamed']!)
    expect(unnamed.text()).to.contain('Lift the freeze with the bureau')
    expect(unnamed.screen.querySelector('.ways')).to.equal(null)
  })

  it('counts down to the time when a retry can succeed', async () => {
    const { act, sent, text } = await mount(gallery.blocked['too_many_codes']!)
    expect(text()).to.contain('Try again in 42:12')
    await act()
    expect(sent).to.deep.equal([])
  })

  it('does not suggest a retry, which no button offers, if no accounts were found', async () => {
    const { text, find } = await mount(gallery.blocked['no_accounts']!)
    expect(text()).to.contain('to check the name, date of birth and address it has for you')
    expect(text()).to.contain('If you know an account’s number, Northwind Lending can add the account')
    expect(text()).not.to.contain('ry again')
    expect(find('.cta').textContent).to.contain('Contact')
  })

  it('offers to enter a card if no accounts were found', async () => {
    const { act, sent, text, find } = await mount(gallery.blocked['add_card']!)
    expect(find('.cta').textContent).to.contain('Enter a card')
    expect(text()).not.to.contain('can add the account for you')
    await act()
    expect(sent).to.deep.equal([{ action: 'add_card' }])
  })

  it("offers a next step for every reason, with and without the customer's support page", async () => {
    for (const support_url of ['https://northwind.example/help', null])
      for (const [reason, view] of Object.entries(gallery.blocked)) {
        const shown = { ...view, brand: { ...view.brand, support_url } } as typeof view
        const { screen, find } = await mount(shown)
        const labels = [...screen.querySelectorAll('.dock .cta, .dock .second')].map(each => each.textContent!.trim())
        expect(labels, reason).not.to.deep.equal(['Close'])
        // A button that goes forward leaves room for a single way out.
        const isForward = /Try again|Ask for|Enter|Close/.test(find('.cta').textContent!)
        const others = isForward && support_url ? [] : [/^Return to Northwind Lending$/]
        const contacts = support_url ? [/^Contact Northwind Lending/] : []
        for (const label of [...others, ...contacts])
          expect(
            labels.some(each => label.test(each)),
            reason,
          ).to.equal(true)
      }
  })

  it('asks the customer for the loan that the accounts can take, once', async () => {
    const { find, act, sent, text, show, screen } = await mount(gallery.blocked['infeasible_terms']!)
    expect(find('.cta').textContent.trim()).to.equal('Ask for $9,232.40 instead')
    expect(text()).to.contain('Northwind Lending receives the amount and decides.')
    await act()
    expect(sent).to.deep.equal([{ action: 'request_loan' }])
    const said: string[] = []
    screen.addEventListener('announcement', event => said.push((event as Announcement).text))
    await show({ ...gallery.blocked['loan_requested']!, revision: 2 })
    expect(said.at(-1)).to.equal('You asked for a $9,232.40 loan')
    expect(text()).to.contain('We sent your request to Northwind Lending')
    expect(find('.cta').textContent).to.contain('Contact Northwind Lending')
  })

  it('suggests asking for a smaller loan if no account can take the minimum', async () => {
    const { find, text } = await mount(gallery.blocked['none_feasible']!)
    expect(text()).to.contain('Ask Northwind Lending about a smaller loan')
    expect(find('.cta').textContent).to.contain('Contact Northwind Lending')
  })

  it('names the remaining tries before a mistake only if they are few', async () => {
    for (const view of [
      gallery.questions['plain']!,
      gallery.number['plain']!,
      gallery.card['plain']!,
      gallery.deposits['amounts']!,
    ])
      for (const [tries_left, isNamed] of [
        [5, false],
        [3, false],
        [2, true],
        [1, true],
      ] as const) {
        const { find } = await mount({ ...view, data: { ...view.data, tries_left } } as typeof view)
        const { textContent } = find('.trust')
        expect(/(?:try|tries) left/.test(textContent!), `${view.step} ${tries_left}`).to.equal(isNamed)
        expect(textContent).to.contain('Encrypted')
      }
  })

  it("returns to the customer's page, also below the link to its support page", async () => {
    for (const support_url of ['https://northwind.example/help', null]) {
      const blocked = gallery.blocked['none_feasible']!
      const view = { ...blocked, brand: { ...blocked.brand, support_url } } as typeof blocked
      const { screen, press } = await mount(view)
      let exits = 0
      screen.addEventListener('exit-request', () => exits++)
      await press('Return to Northwind Lending')
      expect(exits).to.equal(1)
    }
  })

  it("links to the customer's support page if a retry can't help", async () => {
    const { find } = await mount(gallery.blocked['disabled']!)
    expect(find<HTMLAnchorElement>('a.cta').href).to.equal('https://northwind.example/help')
  })
})
