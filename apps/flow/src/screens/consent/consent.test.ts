import type { ViewOf } from '@causeway/contract/session'
import { waitFor } from '@causeway/ui/testing/wait-for'
import { expect } from '@open-wc/testing'
import { gallery } from '../../../dev/fixtures.js'
import { mount } from '../../testing/mount.js'
import { completeLanguage, loadLanguage } from '../../words/language.js'

describe('consent', () => {
  it('accepts exactly the documents and the recipients that were shown', async () => {
    const { sent, act } = await mount(gallery.consent['plain']!)
    await act()
    const { data, recipients } = gallery.consent['plain'] as ViewOf<'consent'>
    expect(sent).to.deep.equal([{ action: 'accept', documents: data.documents, locale: 'en-US', recipients }])
  })

  it('shows the text of a document when it is opened', async () => {
    const { find } = await mount(gallery.consent['plain']!)
    const details = find<HTMLDetailsElement>('.papers details')
    details.open = true
    await waitFor(() => details.textContent?.includes('electronically'))
  })

  it('names the data, the bureau and the service before the person agrees', async () => {
    for (const [state, view] of Object.entries(gallery.consent)) {
      const { screen, text } = await mount(view)
      const titles = [...screen.querySelectorAll('.more .point h2')].map(title => title.textContent)
      const { documents, shares } = (view as ViewOf<'consent'>).data
      const asksBureau = documents.some(({ id }) => id === 'credit_report')
      const { service, bureau } = view.recipients
      const names = [...(asksBureau ? [bureau ?? 'a credit bureau'] : []), service]
      expect(titles.slice(0, names.length), state).to.deep.equal(names.map(name => `What ${name} receives`))
      expect(/soft check by/i.test(text()), state).to.equal(asksBureau)
      expect(text().includes('full Social Security number'), state).to.equal(shares.includes('identity'))
    }
  })

  it('names only balances if the token asks only for balances', async () => {
    const { find, text } = await mount(gallery.consent['balance']!)
    expect(find('.fact p').textContent).to.equal('You share only your debts and balances with Northwind Lending.')
    const details = [...document.querySelectorAll('details')]
    for (const each of details) each.open = true
    await waitFor(() => text().includes('its last digits, and its balance'))
    const said = text().replace(/“[^”]*”/g, '')
    expect(said).not.to.match(/Social Security|full account|credit score and|vehicles/)
  })

  for (const locale of ['en', 'es', 'ar'])
    it(`has at most 60 words before the button, in every mode, in ${locale}`, async () => {
      const language = await loadLanguage([locale])
      for (const [state, view] of Object.entries(gallery.consent)) {
        if (state === 'long') continue
        const { screen } = await mount(view)
        screen.language = language
        await screen.updateComplete
        const copy = screen.cloneNode(true) as HTMLElement
        for (const details of copy.querySelectorAll('details')) {
          const summary = details.querySelector('summary')!
          details.replaceWith(summary)
        }
        const action = copy.querySelector('.cta')!
        expect(action.textContent).to.contain(language.words.consent.action)
        for (const other of copy.querySelectorAll('*'))
          if (action.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) other.remove()
        action.remove()
        for (const block of copy.querySelectorAll('h1, p, li, summary, button')) block.append(' ')
        const words = copy.textContent!.trim().split(/\s+/)
        expect(words.length, `${state}: ${words.join(' ')}`).to.be.at.most(60)
      }
    })

  for (const [locale, bureau, named, service] of [
    ['es', 'un buró de crédito', 'Sandbox Credit Bureau', 'Lo que recibe Harbor Data Services'],
    ['ar', 'مكتب الائتمان', '\u2068Sandbox Credit Bureau\u2069', 'ما يتلقاه \u2068Harbor Data Services\u2069'],
  ] as const)
    it(`names who receives the data in ${locale}, with and without the name of the bureau`, async () => {
      const view = gallery.consent['named']!
      const { screen, text } = await mount(view)
      screen.language = await loadLanguage([locale])
      await waitFor(() => text().includes(service))
      expect(text()).to.contain(named)
      Object.assign(screen, { view: { ...view, revision: 2, recipients: { ...view.recipients, bureau: null } } })
      await waitFor(() => text().includes(bureau))
      expect(text()).not.to.contain('Sandbox Credit Bureau')
    })

  it('names no bureau if none takes part', async () => {
    const { data, recipients, ...view } = gallery.consent['plain'] as ViewOf<'consent'>
    const documents = data.documents.filter(({ id }) => id !== 'credit_report')
    const { text } = await mount({ ...view, recipients: { service: recipients.service }, data: { ...data, documents } })
    expect(text()).to.contain('receives your debts')
    expect(text()).not.to.match(/bureau|credit report/)
  })

  it('names the company on whose page the person signs in, in the documents', async () => {
    const { screen, text } = await mount(gallery.consent['linked']!)
    expect(text()).not.to.match(/bureau|credit report/)
    const [, data] = screen.querySelectorAll<HTMLDetailsElement>('.papers details')
    data!.open = true
    await waitFor(() => data!.textContent?.includes('you sign in to it on a page of Plaid'))
  })

  it('shows the names of the recipients in the documents', async () => {
    const { screen } = await mount(gallery.consent['named']!)
    const report = screen.querySelectorAll<HTMLDetailsElement>('.papers details')[1]!
    report.open = true
    await waitFor(() => report.textContent?.includes('at Sandbox Credit Bureau, a credit bureau'))
    expect(report.textContent).to.contain('Harbor Data Services, which runs these screens for Northwind Lending')
  })

  it('shows the translation of a document above its English text, and follows a change of the language', async () => {
    const { screen, find } = await mount(gallery.consent['plain']!)
    const details = find<HTMLDetailsElement>('.papers details')
    details.open = true
    await waitFor(() => details.textContent?.includes('electronically'))
    screen.language = await completeLanguage(await loadLanguage(['es']))
    await waitFor(() => details.textContent?.includes('formato electrónico'))
    const kinds = [...details.querySelectorAll('.paper-kind')].map(kind => kind.textContent)
    expect(kinds).to.deep.equal(['Traducción', 'Texto en inglés'])
    for (const text of details.querySelectorAll<HTMLElement>('p[lang="en"]')) expect(text.dir).to.equal('ltr')
    expect(details.querySelectorAll('p[lang="en"]')).to.have.length(2)
    expect(screen.textContent).to.contain('Prevalece la versión inglesa')
  })

  it('asks only for the new documents, listed after those that the person already agreed to', async () => {
    const { screen, find, sent, act } = await mount(gallery.consent['partly']!)
    const titles = [...screen.querySelectorAll('section h2')].map(title => title.textContent)
    expect(titles).to.deep.equal(['What you already agreed to', 'What’s new'])
    expect(find('.agreement').textContent).to.contain('you agree to the new document.')
    await act()
    const { data, recipients } = gallery.consent['partly'] as ViewOf<'consent'>
    expect(sent).to.deep.equal([{ action: 'accept', documents: data.documents, locale: 'en-US', recipients }])
  })

  // The window sizes of a small phone, a typical phone, and the card shown on a desktop.
  for (const [width, height] of [
    [320, 568],
    [390, 844],
    [480, 640],
  ] as const)
    it(`shows the statement directly above its button, and leads to the documents, at ${width} by ${height}`, async () => {
      const { screen, find, press } = await mount(gallery.consent['plain']!)
      const box = screen.closest('main')!
      box.style.cssText = `display: block; overflow: auto; inline-size: ${width}px; block-size: ${height}px`
      const [statement, action] = [find('.agreement'), find('.cta')]
      const bounds = () =>
        [box, statement, action].map(each => each.getBoundingClientRect()) as [DOMRect, DOMRect, DOMRect]
      for (const end of [0, box.scrollHeight]) {
        box.scrollTop = end
        const [window, above, below] = bounds()
        expect(above.top, 'the statement is in view').to.be.at.least(window.top)
        expect(below.bottom, 'the button is in view').to.be.at.most(window.bottom)
        expect(below.top - above.bottom, 'nothing is between them').to.be.within(0, 16)
      }
      expect(statement.textContent).to.contain('you agree to the 4 documents.')
      expect(action.getAttribute('aria-describedby')).to.equal(statement.id)
      box.scrollTop = 0
      await press('Read the documents')
      const title = find('.papers-title')
      expect(document.activeElement === title).to.equal(true)
      const [window, above] = bounds()
      expect(title.getBoundingClientRect().top).to.be.within(window.top, above.top)
    })
})
