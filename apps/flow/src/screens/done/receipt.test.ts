import type { SessionView, ViewOf } from '@causeway/contract/session'
import { waitFor } from '@causeway/ui/testing/wait-for'
import { expect } from '@open-wc/testing'
import { gallery } from '../../../dev/fixtures.js'
import { mount } from '../../testing/mount.js'
import { completeLanguage, loadLanguage } from '../../words/language.js'

/** Replaces the window that the copy opens in, and waits for a call to its `print` method. */
function papers() {
  const opened: Document[] = []
  let printed = 0
  const { open } = window
  beforeEach(() => {
    opened.length = 0
    printed = 0
    window.open = () => {
      const document = new DOMParser().parseFromString('<body></body>', 'text/html')
      opened.push(document)
      return { document, print: () => (printed += 1) } as unknown as Window
    }
  })
  afterEach(() => {
    window.open = open
  })
  return {
    async next(): Promise<Document> {
      await waitFor(() => printed === 1)
      return opened[0]!
    },
  }
}

const COPY = 'Save or print a copy'
const textOf = ({ body }: Document) => body.textContent ?? ''

describe('the copy of a session', () => {
  const paper = papers()
  const copyOf = async (view: SessionView) => {
    const { press } = await mount(view)
    await press(COPY)
    return paper.next()
  }

  it('says which session it is of, when it was confirmed, and which version of each document was agreed to and when', async () => {
    const view = gallery.done['plain'] as ViewOf<'done'>
    const copy = await copyOf(view)
    expect(copy.querySelector('h1')?.textContent).to.equal('Your payments are confirmed')
    const facts = [...copy.querySelectorAll('table:first-of-type tr')].map(row =>
      [...row.children].map(cell => cell.textContent),
    )
    const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'long' })
    const agreed = view.data.agreed.find(({ id }) => id === 'payments')!
    expect(facts.slice(0, 2)).to.deep.equal([
      ['Reference', view.session_id],
      ['Confirmed', exact.format(new Date(agreed.at))],
    ])
    expect([...copy.querySelectorAll('h2')].map(title => title.textContent)).to.deep.equal([
      'Electronic records and signatures',
      'Payments you authorize',
    ])
    // The copy contains the accepted version of the text, even though a later version exists.
    expect(textOf(copy)).to.contain('You can change or cancel them until then')
    expect(textOf(copy)).to.contain(
      `Version 2026-11-01. Agreed to: ${exact.format(new Date(agreed.at))}, on a screen in American English.`,
    )
    expect(textOf(copy)).to.contain('on a screen in Spanish (United States).')
    for (const part of ['$5,212.40', '$3,500.00', 'Not used for payoffs', '$10,000.00'])
      expect(textOf(copy)).to.contain(part)
  })

  it('shows an agreement from an earlier session with its own date', async () => {
    const view = structuredClone(gallery.done['plain']) as ViewOf<'done'>
    const at = '2026-09-01T15:00:00.000Z'
    view.data.agreed.unshift({ id: 'privacy', version: '2026-11-24', locale: 'en-US', shares: [], at, earlier: true })
    const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'long' }).format(new Date(at))
    expect(textOf(await copyOf(view))).to.contain(
      `Version 2026-11-24. Agreed to in an earlier session: ${exact}, on a screen in American English.`,
    )
  })

  it("shows the outcome of the payments as its title after the release, and each payment's status", async () => {
    const copy = await copyOf(gallery.done['released']!)
    expect(copy.title).to.equal('Not every payment went through')
    expect(textOf(copy)).to.contain('Loan released')
    expect(textOf(copy)).to.contain('On its way')
    expect(textOf(copy)).to.contain('Not made')
    expect(textOf(copy)).to.contain('No money went to this account.')
    expect(copy.body.style.paddingLeft, 'room at the edges of a phone').to.equal('1em')
  })

  for (const state of ['connect', 'cards', 'identity', 'account', 'bank', 'transactions'])
    it(`is also available at the end of a flow without a loan: ${state}`, async () => {
      const view = gallery.done[state]!
      const copy = await copyOf(view)
      expect(textOf(copy)).to.contain(view.session_id)
      expect(textOf(copy)).to.contain('Finished')
      expect(textOf(copy)).to.contain('Electronic records and signatures')
      expect(textOf(copy)).not.to.contain('undefined')
    })

  it('has the English texts, marked as such, below their translations, on a copy that runs right to left', async () => {
    const view = structuredClone(gallery.done['plain']) as ViewOf<'done'>
    view.data.agreed = [
      { id: 'privacy', version: '2026-11-29', locale: 'ar-US', shares: [], at: view.now },
      ...view.data.agreed,
    ]
    const { screen } = await mount(view)
    screen.language = await completeLanguage(await loadLanguage(['ar']))
    await screen.updateComplete
    screen.querySelector<HTMLButtonElement>('.links .textlink:last-child')!.click()
    const copy = await paper.next()
    expect([copy.documentElement.lang, copy.documentElement.dir]).to.deep.equal(['ar-US', 'rtl'])
    const legal = [...copy.querySelectorAll<HTMLElement>('p')].filter(({ textContent }) =>
      /^You (?:agree|can)/.test(textContent ?? ''),
    )
    expect(legal.length).to.be.greaterThan(1)
    for (const { lang, dir } of legal) expect([lang, dir]).to.deep.equal(['en', 'ltr'])
    const kinds = [...copy.querySelectorAll('h3')].map(kind => kind.textContent)
    // Only the version that is still in use has a translation.
    expect(kinds.slice(0, 2)).to.deep.equal(['ترجمة', 'النص الإنجليزي'])
    expect(textOf(copy)).to.contain('خدمة \u2068Causeway\u2069')
    expect(textOf(copy)).to.contain('2026-11-29')
  })

  it('names the recipients as the accepted version does', async () => {
    const view = structuredClone(gallery.done['plain']) as ViewOf<'done'>
    view.recipients = { service: 'Harbor Data Services', bureau: 'Sandbox Credit Bureau' }
    view.data.agreed = [
      { id: 'credit_report', version: '2026-11-26', locale: 'en-US', shares: [], at: view.now },
      { id: 'privacy', version: '2026-11-24', locale: 'en-US', shares: [], at: view.now },
    ]
    const copy = await copyOf(view)
    expect(textOf(copy)).to.contain('You instruct Northwind Lending and Harbor Data Services, which runs')
    expect(textOf(copy)).to.contain('Sandbox Credit Bureau receives details that identify you.')
    expect(textOf(copy)).to.contain('goes to the Causeway service, which runs')
  })
})

describe('the documents before they are agreed to', () => {
  const paper = papers()

  it('can be printed with their versions', async () => {
    const { press } = await mount(gallery.consent['plain']!)
    await press('Save or print these documents')
    const copy = await paper.next()
    expect(copy.querySelectorAll('h2')).to.have.length(4)
    expect(textOf(copy)).to.contain('Version 2026-11-26')
    expect(textOf(copy)).to.contain('its full account or card number')
    expect(copy.querySelector('p[lang=en]')?.getAttribute('dir')).to.equal('ltr')
  })
})
