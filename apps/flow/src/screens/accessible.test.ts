/**
 * Covers what axe can't check: autofill purposes, announcements, shortcuts and motion. `docs/accessibility.md` refers
 * to these tests.
 */
import type { SessionView, ViewOf } from '@causeway/contract/session'
import { waitFor } from '@causeway/ui/testing/wait-for'
import { expect } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import { gallery } from '../../dev/fixtures.js'
import { type Mounted, mount } from '../testing/mount.js'

/** Returns a list that collects everything the screen announces after this call. */
function announcements({ screen }: Mounted): string[] {
  const said: string[] = []
  screen.addEventListener('announcement', ({ text }) => said.push(text))
  return said
}

it('names the purpose of every field about the person, so that a browser can fill it in', async () => {
  const purposes = async (view: SessionView, fields?: string[]) => {
    const { screen } = await mount({ ...view, ...(fields ? { data: { fields, values: {} } } : {}) } as SessionView)
    const inputs = [...screen.querySelectorAll<HTMLInputElement>('input:not([type=checkbox]), select')]
    return Object.fromEntries(inputs.map(field => [field.name, field.getAttribute('autocomplete')]))
  }
  expect(await purposes(gallery.phone['empty']!)).to.deep.equal({ phone: 'tel-national' })
  expect(await purposes(gallery.code['plain']!)).to.deep.equal({ code: 'one-time-code' })
  expect(await purposes(gallery.details['plain']!)).to.deep.equal({
    first_name: 'given-name',
    last_name: 'family-name',
    'dob-month': 'bday-month',
    'dob-day': 'bday-day',
    'dob-year': 'bday-year',
    // HTML defines no autofill purpose for this field.
    ssn_4: 'off',
  })
  expect(await purposes(gallery.details['plain']!, ['address'])).to.deep.equal({
    line1: 'address-line1',
    line2: 'address-line2',
    city: 'address-level2',
    state: 'address-level1',
    zip: 'postal-code',
  })
  expect(await purposes(gallery.card['plain']!)).to.deep.equal({
    number: 'cc-number',
    expiry: 'cc-exp',
    code: 'cc-csc',
    zip: 'billing postal-code',
  })
})

describe('the code', () => {
  it('has no single-key shortcuts: a digit pressed elsewhere has no effect', async () => {
    const { find } = await mount(gallery.code['plain']!)
    find('summary').focus()
    await sendKeys({ press: '5' })
    expect(document.activeElement?.localName).to.equal('summary')
    expect(find<HTMLInputElement>('#code').value).to.equal('')
  })

  it('says before anything is typed that a complete one is checked at once', async () => {
    const { find } = await mount(gallery.code['plain']!)
    const hint = document.getElementById(find('#code').getAttribute('aria-describedby')!)
    expect(hint?.textContent).to.contain('We check it once you enter all six digits.')
  })

  it('has a cursor that stops blinking within five seconds', async () => {
    const { find } = await mount(gallery.code['plain']!)
    find('#code').focus()
    const running = () => find('.code-box.here').getAnimations({ subtree: true })
    await waitFor(() => running().length === 1)
    expect(running()[0]!.effect!.getComputedTiming().endTime).to.be.at.most(5000)
  })
})

describe('an amount', () => {
  const plain = gallery.allocation['plain'] as ViewOf<'allocation'>

  it('that breaks a rule of its account is announced while the focus stays in it', async () => {
    const mounted = await mount(plain)
    const said = announcements(mounted)
    await mounted.type('#acc_A', '999999')
    await waitFor(() => said.length > 0)
    expect(said.join()).to.equal('One account can get up to $10,000.00. Enter $10,000.00 or less.')
  })

  it('that is left too small is announced, although the person has moved past its message', async () => {
    const mounted = await mount(plain)
    await mounted.type('#acc_A', '3')
    const said = announcements(mounted)
    mounted.find('#acc_A').blur()
    expect(said.join()).to.contain('Enter at least')
  })
})

it('a search that takes longer is announced once', async () => {
  const mounted = await mount(gallery.discovering['asking']!)
  const said = announcements(mounted)
  const view = gallery.discovering['asking'] as ViewOf<'discovering'>
  const slow = { ...view, data: { ...view.data, slow: true } }
  await mounted.show({ ...slow, revision: 2 })
  await mounted.show({ ...slow, revision: 3 })
  expect(said).to.have.length(1)
  expect(said[0]).to.contain(mounted.find('.note').textContent!.trim())
})

/** Text spacing that a reader might set, applied at the width of a narrow phone. */
const SPACED = `main { inline-size: 320px }
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-block-end: 2em !important }`

for (const [step, states] of Object.entries(gallery))
  describe(`every state of ${step}`, () => {
    it('has targets of at least 24 by 24 px', async () => {
      for (const [state, view] of Object.entries(states)) {
        const { screen } = await mount(view)
        const found = 'a, button, summary, select, input:not(.pick), label:has(.pick)'
        const small = [...screen.querySelectorAll<HTMLElement>(found)].filter(target => {
          const { width, height } = target.getBoundingClientRect()
          // The target of an inline link extends beyond its line of text.
          const reach = Math.min(0, Number.parseFloat(getComputedStyle(target, '::after').top) || 0)
          return Math.min(width, height - 2 * reach) < 24
        })
        expect(
          small.map(target => target.outerHTML),
          state,
        ).to.deep.equal([])
      }
    })

    it('shows all of its text at 320 px with the spacing that a reader sets', async () => {
      const spacing = document.head.appendChild(document.createElement('style'))
      spacing.textContent = SPACED
      try {
        for (const [state, view] of Object.entries(states)) {
          const { screen } = await mount(view)
          const main = screen.closest('main')!
          const cut = [...screen.querySelectorAll<HTMLElement>('.body *, .dock *')].filter(
            part =>
              !part.closest('.sr, svg, select, input') &&
              getComputedStyle(part).overflow !== 'visible' &&
              (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1),
          )
          expect(
            cut.map(part => part.outerHTML),
            state,
          ).to.deep.equal([])
          expect(main.scrollWidth - main.clientWidth, `${state} is too wide`).to.be.at.most(0)
        }
      } finally {
        spacing.remove()
      }
    })
  })
