// biome-ignore-all lint/style/noExcessiveLinesPerFile: it checks the text for each rule on these screens.
/** Tests the screens that precede the choice of accounts. */
import { expect } from '@open-wc/testing'
import { gallery } from '../../dev/fixtures.js'
import { messageOf, mount, paste } from '../testing/mount.js'
import type { DetailsScreen } from './details/details.js'

const errors = (field: string | null, code: string, values = {}) => ({ revision: 2, errors: [{ field, code, values }] })

describe('phone', () => {
  it('sends no number if the one on file is used', async () => {
    const { sent, act } = await mount(gallery.phone['plain']!)
    await act()
    expect(sent).to.deep.equal([{ action: 'send' }])
  })

  it('formats another number as it is typed, and sends it in full', async () => {
    const { sent, act, press, type } = await mount(gallery.phone['plain']!)
    await press('Use another number')
    const input = await type('#phone', '+1 512-555-0100')
    expect(input.value).to.equal('(512) 555-0100')
    await act()
    expect(sent).to.deep.equal([{ action: 'send', phone: '+15125550100' }])
  })

  it("keeps another country's number as typed, says to enter a US number, and sends nothing", async () => {
    const { sent, act, type } = await mount(gallery.phone['empty']!)
    for (const number of ['+52 55 1234 5678', '0044 20 7946 0958', '(911) 555-0100', '(512) 555-01001']) {
      const input = await type('#phone', number)
      await act()
      expect(messageOf(input)).to.contain('Enter a US number')
      expect(input.value).to.equal(number)
    }
    expect(sent).to.deep.equal([])
  })

  it('reads Arabic digits, keeps the caret in place, and accepts a number that was filled in without an input event', async () => {
    const { sent, act, find, screen } = await mount(gallery.phone['empty']!)
    const input = find<HTMLInputElement>('#phone')
    input.focus()
    input.value = '٥١٢٥٥٠١٠٣'
    input.setSelectionRange(4, 4)
    input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }))
    expect([input.value, input.selectionStart]).to.deep.equal(['(512) 550-103', 7])
    input.value = '٥١٢٥٥٥٠١٠٣'
    input.dispatchEvent(new Event('change', { bubbles: true }))
    await screen.updateComplete
    await act()
    expect(sent).to.deep.equal([{ action: 'send', phone: '+15125550103' }])
  })

  it('leaves full-width digits alone until the input method is done with them', async () => {
    const { find } = await mount(gallery.phone['empty']!)
    const input = find<HTMLInputElement>('#phone')
    input.value = '５１２'
    input.dispatchEvent(new InputEvent('input', { bubbles: true, isComposing: true }))
    expect(input.value).to.equal('５１２')
    input.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }))
    expect(input.value).to.equal('512')
  })

  it('reports a number that is too short under its field, which keeps it and gets the focus', async () => {
    const { sent, act, type } = await mount(gallery.phone['empty']!)
    const input = await type('#phone', '512 555 01')
    await act()
    expect(sent).to.deep.equal([])
    expect(messageOf(input)).to.contain('2 digits short')
    expect(input.value).to.equal('(512) 555-01')
    expect(document.activeElement === input).to.equal(true)
  })

  it("shows the service's rejection at the field until it is edited", async () => {
    const { type, find, show } = await mount(gallery.phone['empty']!)
    await type('#phone', '5125550100')
    await show({ ...gallery.phone['empty']!, ...errors('phone', 'refused') } as never)
    const input = find<HTMLInputElement>('#phone')
    expect(messageOf(input)).to.contain('can’t get text messages')
    expect(input.value).to.equal('(512) 555-0100')
    await type('#phone', '5125550101')
    expect(messageOf(input)).to.equal(null)
  })

  it('says when the next code can be sent if too many were sent', async () => {
    const { text } = await mount({
      ...gallery.phone['plain']!,
      ...errors(null, 'too_many_codes', { retry_at: '2026-11-23T15:41:00.000Z' }),
    } as never)
    expect(text()).to.match(/Too many codes .* You can request a new code at \d?\d:\d\d.[AP]M\./)
  })

  it("says that a code can't be sent, while sending is retried and after it was given up", async () => {
    const late = await mount(gallery.code['unsent']!)
    expect(late.find('[role="alert"]').textContent).to.contain('haven’t sent the code yet')
    const none = await mount(gallery.phone['unsent']!)
    expect(none.find('[role="alert"]').textContent).to.contain('couldn’t send the code')
  })

  it('says how much the accounts can take, and how much they must, if no choice can meet the terms', async () => {
    const { text } = await mount(gallery.blocked['infeasible_terms']!)
    expect(text()).to.contain('Your accounts can take $7,732.40, but at least $8,500 of this loan must go to them.')
    expect(text()).to.contain('Ask for a $9,232.40 loan').and.to.contain('to add it')
  })

  it('shows a person who failed too often the date and time when they can try again', async () => {
    const { text, find } = await mount(gallery.blocked['identity_failed']!)
    expect(text()).to.match(/You can try again on Nov 24, 2026 at \d?\d:\d\d/)
    expect(find('.cta').textContent).not.to.contain('Try again')
  })
})

for (const step of ['phone', 'code'] as const)
  describe(`“This isn’t me” at the ${step}`, () => {
    it('asks for confirmation once, and is sent only then', async () => {
      const { sent, press, act, find } = await mount(gallery[step]['fixed']!)
      await press('This isn’t me')
      expect(find('h1').textContent).to.equal('Is this meant for someone else?')
      expect(document.activeElement === find('h1')).to.equal(true)
      await expect(find('.screen')).to.be.accessible()
      expect(sent).to.deep.equal([])
      await act()
      expect(sent).to.deep.equal([{ action: 'not_me' }])
    })

    it('can be undone if it was pressed by accident, which returns to the same place', async () => {
      const { sent, press, find } = await mount(gallery[step]['fixed']!)
      const before = find('h1').textContent
      await press('This isn’t me')
      await press('No, it’s for me')
      expect(find('h1').textContent).to.equal(before)
      expect(document.activeElement?.id).to.equal('not-me')
      expect(sent).to.deep.equal([])
    })

    it('is not offered if the person can change the number', async () => {
      for (const [state, view] of Object.entries(gallery[step]))
        if ((view.data as { editable: boolean }).editable)
          expect((await mount(view)).screen.querySelector('#not-me'), state).to.equal(null)
    })
  })

it("tells a person who said that it isn't them whom to notify, and lets them close the flow", async () => {
  const { text, act, screen, find } = await mount(gallery.blocked['not_me']!)
  let exits = 0
  screen.addEventListener('exit-request', () => {
    exits += 1
  })
  expect(text()).to.contain('Please also tell Northwind Lending')
  expect(find('.cta').textContent?.trim()).to.equal('Close')
  await act()
  expect(exits).to.equal(1)
})

describe('code', () => {
  it('sends a code as soon as it is complete, typed or pasted with spaces, and says so', async () => {
    const { sent, screen, type, find } = await mount(gallery.code['plain']!)
    const said: string[] = []
    screen.addEventListener('announcement', ({ text }) => said.push(text))
    await type('#code', '41902')
    expect([sent, said]).to.deep.equal([[], []])
    await type('#code', ' 419 023 ')
    expect(find('.code-boxes').textContent.replace(/\s/g, '')).to.equal('419023')
    expect(sent).to.deep.equal([{ action: 'verify', code: '419023' }])
    expect(said).to.deep.equal(['Checking your code…'])
  })

  it('a paste anywhere on the screen lands in the boxes and is sent', async () => {
    const { find, screen, sent } = await mount(gallery.code['plain']!)
    paste(find('h1'), 'Your code is 419-023')
    await screen.updateComplete
    expect(find<HTMLInputElement>('#code').value).to.equal('419023')
    expect(sent).to.deep.equal([{ action: 'verify', code: '419023' }])
  })

  it('takes the only code out of a pasted message, and never sends other digits', async () => {
    const { find, screen, sent } = await mount(gallery.code['plain']!)
    const input = find<HTMLInputElement>('#code')
    paste(input, 'Valid for 10 minutes: 12345')
    await screen.updateComplete
    expect([sent, input.value]).to.deep.equal([[], ''])
    expect(messageOf(input)).to.contain('six digits')
    paste(input, 'Northwind: رمزك المكوّن من 6 أرقام هو ٤١٩٠٢٣')
    await screen.updateComplete
    expect(sent).to.deep.equal([{ action: 'verify', code: '419023' }])
  })

  it('can be filled in by the phone', async () => {
    const { find } = await mount(gallery.code['plain']!)
    const input = find('#code')
    expect([input.getAttribute('autocomplete'), input.inputMode]).to.deep.equal(['one-time-code', 'numeric'])
  })

  it('is read out of the text message where the browser can, and sent', async () => {
    Object.assign(window, { OTPCredential: class {} })
    // Some browsers do not provide `navigator.credentials`.
    const value = { get: async () => ({ code: '419023', id: '', type: 'otp' }) }
    Object.defineProperty(navigator, 'credentials', { value, configurable: true })
    const { find, screen, sent } = await mount(gallery.code['plain']!)
    Reflect.deleteProperty(navigator, 'credentials')
    Reflect.deleteProperty(window, 'OTPCredential')
    await screen.updateComplete
    expect(find<HTMLInputElement>('#code').value).to.equal('419023')
    expect(sent).to.deep.equal([{ action: 'verify', code: '419023' }])
  })

  it("keeps a wrong code's digits and says how many attempts are left", async () => {
    const { screen, type, show, find } = await mount(gallery.code['plain']!)
    await type('#code', '000000')
    const said: string[] = []
    screen.addEventListener('announcement', ({ text }) => said.push(text))
    await show({ ...gallery.code['plain']!, ...errors('code', 'incorrect', { tries_left: 1 }) } as never)
    expect(messageOf(find('#code'))).to.contain('1 try left')
    expect(find<HTMLInputElement>('#code').value).to.equal('000000')
    expect(document.activeElement?.id).to.equal('code')
    expect(said).to.deep.equal([messageOf(find('#code'))])
  })

  it('selects a wrong code, and sends it again only when it is changed and complete', async () => {
    const { type, show, find, sent } = await mount(gallery.code['plain']!)
    const input = await type('#code', '000000')
    await show({ ...gallery.code['plain']!, ...errors('code', 'incorrect', { tries_left: 4 }) } as never)
    expect([input.selectionStart, input.selectionEnd]).to.deep.equal([0, 6])
    expect(messageOf(find('#code'))).to.contain('4 tries left')
    await type('#code', '00000')
    await type('#code', '000000')
    expect(sent).to.deep.equal([{ action: 'verify', code: '000000' }])
    await type('#code', '00000')
    await type('#code', '000001')
    expect(sent.slice(1)).to.deep.equal([{ action: 'verify', code: '000001' }])
  })

  it('allows another code only when the countdown is over', async () => {
    const waiting = await mount(gallery.code['plain']!)
    await waiting.press('Send again in 0:24')
    expect(waiting.sent).to.deep.equal([])
    const over = await mount(gallery.code['resend']!)
    await over.press('Send another code')
    expect(over.sent).to.deep.equal([{ action: 'resend' }])
  })

  it('keeps the entered code until another one has been sent, and then announces it', async () => {
    const { find, press, screen, show, type } = await mount(gallery.code['resend']!)
    const said: string[] = []
    screen.addEventListener('announcement', ({ text }) => said.push(text))
    const input = await type('#code', '41902')
    await press('Send another code')
    expect(input.value).to.equal('41902')
    Object.assign(screen, { fault: { kind: 'offline', wait: null } })
    await screen.updateComplete
    expect(find('.dock .alert').textContent).to.contain('What you entered is still here.')
    expect(input.value).to.equal('41902')
    await show({ ...gallery.code['resend']! })
    expect([input.value, said]).to.deep.equal(['41902', []])
    await show({ ...gallery.code['plain']!, revision: 2 })
    expect([input.value, said]).to.deep.equal(['', ['Another code is on its way.']])
  })

  it("keeps a wrong code's digits if it was submitted after a failed request for another one", async () => {
    const { press, show, type } = await mount(gallery.code['resend']!)
    await press('Send another code')
    const input = await type('#code', '000000')
    await show({ ...gallery.code['resend']!, ...errors('code', 'incorrect', { tries_left: 4 }) } as never)
    expect(input.value).to.equal('000000')
  })

  it('clears an incomplete code that was not submitted before another one was sent', async () => {
    const { act, press, sent, show, type } = await mount(gallery.code['resend']!)
    await press('Send another code')
    const input = await type('#code', '41902')
    await act()
    expect(sent).to.deep.equal([{ action: 'resend' }])
    await show({ ...gallery.code['plain']!, revision: 2 })
    expect(input.value).to.equal('')
  })

  it('lets the person change the number', async () => {
    const { sent, press } = await mount(gallery.code['plain']!)
    await press('Change number')
    expect(sent).to.deep.equal([{ action: 'change' }])
  })
})

describe('details', () => {
  type Screen = Awaited<ReturnType<typeof mount>>
  const fillIdentity = async ({ type, act }: Screen) => {
    await type('#first_name', ' Ana ')
    await type('#last_name', 'Ruiz  Diaz')
    await type('#dob-month', '3')
    await type('#dob-day', '11')
    await type('#dob-year', '1980')
    await type('#ssn_4', '1a2b34')
    await act()
  }
  const fill = async (mounted: Screen) => {
    await fillIdentity(mounted)
    await mounted.type('#line1', '1 Main St')
    await mounted.type('#zip', '78701-1234')
    await mounted.type('#city', 'Austin')
  }
  const title = ({ find }: Screen) => find('h1').textContent

  it('sends the details from both pages, trimmed', async () => {
    const mounted = await mount(gallery.details['plain']!)
    await fill(mounted)
    expect(mounted.sent).to.deep.equal([])
    await mounted.act()
    expect(mounted.sent).to.deep.equal([
      {
        action: 'submit',
        first_name: 'Ana',
        last_name: 'Ruiz Diaz',
        dob: '1980-03-11',
        line1: '1 Main St',
        line2: '',
        city: 'Austin',
        state: 'TX',
        zip: '78701',
        ssn_4: '1234',
      },
    ])
  })

  it('accepts one legal name, and removes invisible marks from names', async () => {
    const mounted = await mount(gallery.details['short']!)
    mounted.find('[name="one_name"]').click()
    await mounted.screen.updateComplete
    expect(mounted.screen.querySelectorAll('#last_name')).to.have.length(0)
    expect(mounted.find('label[for="first_name"]').textContent?.trim()).to.equal('Legal name')
    await mounted.type('#first_name', ' \u200f\u200b ')
    await mounted.type('#dob-month', '3')
    await mounted.type('#dob-day', '11')
    await mounted.type('#dob-year', '1980')
    await mounted.act()
    expect(mounted.text()).to.contain('Enter your legal name.')
    await mounted.type('#first_name', '\u200fSu\u200bharto ')
    await mounted.act()
    expect(mounted.sent).to.deep.equal([{ action: 'submit', first_name: 'Suharto', one_name: true, dob: '1980-03-11' }])
  })

  it('returns to one legal name, and does not submit a name that the service would reject', async () => {
    const mounted = await mount(gallery.details['one_name']!)
    expect(mounted.screen.querySelectorAll('#last_name')).to.have.length(0)
    expect(mounted.text()).to.contain('Use at most 100 characters.')
    mounted.find('[name="one_name"]').click()
    await mounted.screen.updateComplete
    await mounted.type('#first_name', 'a'.repeat(101))
    await mounted.type('#last_name', '-')
    await mounted.act()
    expect(mounted.text()).to.contain('Use at most 100 characters.')
    expect(mounted.text()).to.contain('Use letters, without symbols or hidden characters.')
    expect(mounted.sent).to.deep.equal([])
  })

  it('has a separate page for the address, and going back from it keeps what was typed', async () => {
    const mounted = await mount(gallery.details['plain']!)
    const screen = mounted.screen as DetailsScreen
    const turns: boolean[] = []
    screen.addEventListener('page-turn', ({ fromTop }) => turns.push(fromTop))
    expect([title(mounted), screen.hasPageBefore()]).to.deep.equal(['Tell us about you', false])
    expect(screen.querySelectorAll('#line1, #zip')).to.have.length(0)
    await fillIdentity(mounted)
    expect([title(mounted), screen.hasPageBefore()]).to.deep.equal(['Where do you live?', true])
    await mounted.type('#line1', '1 Main St')
    screen.turnBack()
    await screen.updateComplete
    expect(mounted.find<HTMLInputElement>('#dob-year').value).to.equal('1980')
    await mounted.act()
    expect(mounted.find<HTMLInputElement>('#line1').value).to.equal('1 Main St')
    expect(turns).to.deep.equal([true, true, true])
  })

  it('returns to the page of a rejected field', async () => {
    const mounted = await mount(gallery.details['plain']!)
    await fill(mounted)
    const view = gallery.details['plain']!
    await mounted.show({ ...view, ...errors('dob', 'too_young') } as never)
    expect(messageOf(mounted.find('#dob-month'))).to.contain('at least 18')
    expect(document.activeElement?.id).to.equal('dob-month')
    await mounted.show({ ...view, ...errors('zip', 'invalid'), revision: 3 } as never)
    expect(document.activeElement?.id).to.equal('zip')
  })

  it('accepts the address and the digits of a service member who types Arabic', async () => {
    const mounted = await mount(gallery.details['plain']!)
    const { type, act, find, sent } = mounted
    await type('#first_name', 'Ana')
    await type('#last_name', 'Ruiz')
    await type('#dob-month', '٣')
    await type('#dob-day', '١١')
    await type('#dob-year', '١٩٨٠')
    await type('#ssn_4', '١٢٣-٤٥-٦٧٨٩')
    await act()
    await type('#line1', 'PSC 1234 Box 5')
    await type('#city', 'APO')
    const zip = await type('#zip', '٠٠٠٠٠')
    await act()
    expect(messageOf(zip)).to.contain('ZIP')
    await type('#zip', 'APO AE ٠٩٠٠٥')
    expect(find<HTMLSelectElement>('#state').value).to.equal('AE')
    await act()
    expect(sent).to.have.length(1)
    expect(sent[0]).to.include({ dob: '1980-03-11', ssn_4: '6789', state: 'AE', zip: '09005' })
  })

  it('chooses the state of the ZIP code, unless the person chose one', async () => {
    const mounted = await mount(gallery.details['plain']!)
    await fillIdentity(mounted)
    const said: string[] = []
    mounted.screen.addEventListener('announcement', ({ text }) => said.push(text))
    const state = () => mounted.find<HTMLSelectElement>('#state')
    await mounted.type('#zip', '7870')
    expect(state().value).to.equal('')
    await mounted.type('#zip', '78701')
    expect(state().value).to.equal('TX')
    expect(said.join()).to.contain('Texas')
    await mounted.type('#zip', '10001')
    expect(state().value).to.equal('TX')
  })

  it('moves on from a part of the date that was typed in full', async () => {
    const { find, screen } = await mount(gallery.details['plain']!)
    const press = async (part: string, text: string, inputType: string) => {
      const input = find<HTMLInputElement>(`#dob-${part}`)
      input.focus()
      input.value = text
      input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType }))
      await screen.updateComplete
      return document.activeElement?.id
    }
    expect(await press('month', '0', 'insertText')).to.equal('dob-month')
    expect(await press('month', '03', 'insertText')).to.equal('dob-day')
    expect(await press('day', '11', 'deleteContentBackward')).to.equal('dob-day')
    expect(await press('day', '12', 'insertText')).to.equal('dob-year')
    expect(await press('year', '1980', 'insertText')).to.equal('dob-year')
  })

  it('asks only for the fields of the view, and shows what is known', async () => {
    const { screen, find } = await mount(gallery.details['short']!)
    expect(find<HTMLInputElement>('#first_name').value).to.equal('Kevin')
    expect(screen.querySelectorAll('#ssn_4, #line1')).to.have.length(0)
  })

  it('says everything that is missing at once, and goes to the first', async () => {
    const { screen, act, sent } = await mount(gallery.details['plain']!)
    await act()
    expect(sent).to.deep.equal([])
    expect(screen.querySelectorAll('.msg:not([hidden])')).to.have.length(4)
    expect(document.activeElement?.id).to.equal('first_name')
  })

  it('reports that there was no match for the whole step, and keeps what was typed', async () => {
    const mounted = await mount(gallery.details['plain']!)
    await fill(mounted)
    await mounted.show({ ...gallery.details['plain']!, ...errors(null, 'no_match') } as never)
    expect(mounted.text()).to.contain('couldn’t find you')
    expect(mounted.find<HTMLInputElement>('#dob-year').value).to.equal('1980')
    expect(document.activeElement?.className).to.contain('alert')
    await mounted.type('#ssn_4', '1234')
    await mounted.act()
    expect(mounted.find<HTMLInputElement>('#city').value).to.equal('Austin')
  })

  it('accepts a complete pasted date', async () => {
    const { find, screen } = await mount(gallery.details['plain']!)
    paste(find('#dob-month'), '03/11/1980')
    await screen.updateComplete
    expect(find<HTMLInputElement>('#dob-year').value).to.equal('1980')
  })
})

describe('questions', () => {
  it('sends one answer per question', async () => {
    const { sent, act, find } = await mount(gallery.questions['plain']!)
    find('input[value="a_12"]').click()
    find('input[value="a_21"]').click()
    await act()
    expect(sent).to.deep.equal([
      {
        action: 'answer',
        answers: [
          { question_id: 'q_1', answer_id: 'a_12' },
          { question_id: 'q_2', answer_id: 'a_21' },
        ],
      },
    ])
  })

  it('reports an unanswered question next to it', async () => {
    const { sent, act, find, text } = await mount(gallery.questions['plain']!)
    find('input[value="a_12"]').click()
    await act()
    expect(sent).to.deep.equal([])
    expect(text()).to.contain('Choose an answer.')
    expect((document.activeElement as HTMLInputElement).name).to.equal('q_2')
  })

  it('keep their own direction on a screen that runs right to left', async () => {
    const { screen } = await mount(gallery.questions['plain']!)
    document.documentElement.dir = 'rtl'
    const directions = [...screen.querySelectorAll('bdi')].map(text => getComputedStyle(text).direction)
    document.documentElement.dir = 'ltr'
    expect(directions).to.deep.equal(Array(12).fill('ltr'))
  })

  it('starts new questions without an answer', async () => {
    const view = gallery.questions['plain'] as Extract<(typeof gallery.questions)[string], { step: 'questions' }>
    const { find, show, screen } = await mount(view)
    find('input[value="a_12"]').click()
    const [first] = view.data.questions
    await show({ ...view, revision: 2, data: { ...view.data, questions: [{ ...first!, id: 'q_9' }] } })
    expect(screen.querySelectorAll(':checked')).to.have.length(0)
  })
})
