import type { ViewOf } from '@causeway/contract/session'
import { waitFor } from '@causeway/ui/testing/wait-for'
import { expect } from '@open-wc/testing'
import { gallery } from '../../../dev/fixtures.js'
import { mount } from '../../testing/mount.js'
import { completeLanguage, english, loadLanguage } from '../../words/language.js'

describe('consent', () => {
  it('accepts exactly the documents and the recipients that were shown', async () => {
    const { sent, act } = await mount(gallery.consent['plain']!)
    await act()
    const { data, recipients } = gallery.consent['plain'] as ViewOf<'consent'>
    expect(sent).to.deep.equal([{ action: 'accept', documents: data.documents, locale: 'en-US', recipients }])
  })

  it('shows the text of a document when it is opened', async () => {
    const { find } = await mount(gallery.consent['plain']!)
    const details = find<HTMLDetailsElement>('details')
    details.open = true
    await waitFor(() => details.textContent?.includes('electronically'))
  })

  it('names who receives the data before the person agrees', async () => {
    for (const [state, view] of Object.entries(gallery.consent)) {
      const { screen, text } = await mount(view)
      const titles = [...screen.querySelectorAll('.point h2')].map(title => title.textContent)
      const { documents, carried } = (view as ViewOf<'consent'>).data
      if (documents.length === 0) continue
      const asksBureau = [...documents, ...carried].some(({ id }) => id === 'credit_report')
      const { service, bureau } = view.recipients
      expect(titles.slice(0, asksBureau ? 3 : 2), state).to.deep.equal([
        `What ${view.brand.name} receives`,
        ...(asksBureau ? [`What ${bureau ?? 'a credit bureau'} receives`] : []),
        `What ${service} receives`,
      ])
      expect(text(), state).to.contain('full Social Security number')
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
    expect(text()).to.contain('details about you')
    expect(text()).not.to.match(/bureau|credit report/)
  })

  it('shows the names of the recipients in the documents', async () => {
    const { screen } = await mount(gallery.consent['named']!)
    const report = screen.querySelectorAll('details')[1]!
    report.open = true
    await waitFor(() => report.textContent?.includes('at Sandbox Credit Bureau, a credit bureau'))
    expect(report.textContent).to.contain('Harbor Data Services, which runs these screens for Northwind Lending')
  })

  it('shows the translation of a document above its English text, and follows a change of the language', async () => {
    const { screen, find } = await mount(gallery.consent['plain']!)
    const details = find<HTMLDetailsElement>('details')
    details.open = true
    await waitFor(() => details.textContent?.includes('electronically'))
    screen.language = await completeLanguage(await loadLanguage(['es']))
    await waitFor(() => details.textContent?.includes('formato electrónico'))
    const kinds = [...details.querySelectorAll('.paper-kind')].map(kind => kind.textContent)
    expect(kinds).to.deep.equal(['Traducción', 'Texto en inglés'])
    for (const text of details.querySelectorAll<HTMLElement>('p[lang="en"]')) expect(text.dir).to.equal('ltr')
    expect(details.querySelectorAll('p[lang="en"]')).to.have.length(2)
    expect(screen.textContent).to.contain('ese texto prevalece')
  })

  it('is short if the person already agreed to every document, but still asks for confirmation', async () => {
    const view = gallery.consent['carried'] as ViewOf<'consent'>
    const { screen, text, find, sent, act } = await mount(view)
    const titles = [...screen.querySelectorAll('.body h2')].map(title => title.textContent)
    expect(titles).to.deep.equal(['Why we need this', 'Nothing is paid now', 'What you already agreed to'])
    expect(screen.querySelectorAll('.papers details')).to.have.length(5)
    expect(text()).to.contain(`Agreed to on ${english.date(view.data.carried[0]!.at)}`)
    expect(find('.agreement').textContent).to.contain('you confirm that you still agree to the 5 documents.')
    await act()
    const { recipients } = view
    expect(sent).to.deep.equal([{ action: 'accept', documents: [], locale: 'en-US', recipients }])
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
