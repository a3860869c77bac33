/** Tests that the server's markup matches the app's, and that the app then replaces it. */
import type { SessionView, ViewOf } from '@causeway/contract/session'
import { waitFor } from '@causeway/ui/testing/wait-for'
import { expect, fixture, html } from '@open-wc/testing'
import { setViewport } from '@web/test-runner-commands'
import { gallery, NOW } from '../../dev/fixtures.js'
import type { FlowApp } from '../app.js'
import { initial, type Message } from '../machine.js'
import { applyStyles } from '../testing/mount.js'
import { loadLanguage } from '../words/language.js'
import { drawFirstScreen } from './first-screen.js'
import { showFirstScreen } from './show-first-screen.js'

const consent = gallery.consent['plain'] as ViewOf<'consent'>

interface Staged {
  early: HTMLElement
  app: FlowApp
  dispatched: Message[]
  posted: unknown[][]
  /** The number of times that the app was loaded. */
  loads: () => number
  /** Renders the app's own screen. */
  start: (view?: SessionView, language?: string) => Promise<void>
  press: (name: string, root?: Element) => void
}

/** Adds the server's markup to a page whose app has not started. */
async function stage(
  view: SessionView = consent,
  { language = 'en', hash = `#n=${'a'.repeat(32)}` } = {},
): Promise<Staged> {
  await applyStyles()
  const drawn = await drawFirstScreen(view, { appearance: null, theme: {} }, [language])
  const dispatched: Message[] = []
  const posted: unknown[][] = []
  const home = await fixture<HTMLElement>(html`<div>
    <style></style>
    <link rel="modulepreload" href="data:text/javascript," /><div id="early" hidden></div
    ><causeway-flow
      .state=${initial}
      .dispatch=${(message: Message) => dispatched.push(message)}
      .now=${() => NOW}
    ></causeway-flow>
  </div>`)
  const early = home.querySelector<HTMLElement>('#early')!
  early.innerHTML = drawn.html
  home.querySelector('style')!.textContent = `${drawn.css}#early:not([hidden])~causeway-flow{display:none}`
  document.documentElement.dir = drawn.dir
  const app = home.querySelector('causeway-flow')!
  let loads = 0
  showFirstScreen(
    {
      document: {
        querySelector: (selector: string) => home.querySelector(selector),
        referrer: 'https://lender.example/',
        documentElement: document.documentElement,
        get activeElement() {
          return document.activeElement
        },
      },
      location: { hash },
      parent: { postMessage: (...message: unknown[]) => posted.push(message) },
      matchMedia: (query: string) => matchMedia(query),
      setTimeout: () => 0,
      requestAnimationFrame: (run: () => void) => run(),
    } as unknown as Window,
    () => {
      loads += 1
    },
  )
  return {
    early,
    app,
    dispatched,
    posted,
    loads: () => loads,
    start: async (next = view, spoken = language) => {
      app.language = await loadLanguage([spoken])
      app.state = { ...initial, phase: 'flow', view: next }
      await waitFor(() => !early.isConnected, 'the app replaces the markup')
    },
    press: (name, root = early) => {
      const found = [...root.querySelectorAll('button')].find(
        each => (each.getAttribute('aria-label') ?? each.textContent?.trim()) === name,
      )
      if (!found) throw new Error(`no button is called ${name}`)
      found.click()
    },
  }
}

/** Describes what is displayed: each element with its text, attributes and position. */
function describeScreen(root: Element): string[] {
  return [...root.querySelectorAll('*')].map(each => {
    const { x, y, width, height } = each.getBoundingClientRect()
    const name = each.localName === 'screen-consent' ? 'div' : each.localName
    const attributes = [...each.attributes]
      .filter(({ name: attribute }) => attribute !== 'style')
      .map(attribute => `${attribute.name}=${attribute.value.trim()}`)
      .sort()
    const own = [...each.childNodes]
      .map(node => (node.nodeType === Node.TEXT_NODE ? node.textContent!.trim() : ''))
      .join('')
    return `${name} ${attributes.join(' ')} "${own}" ${[x, y, width, height].map(Math.round)}`
  })
}

describe('the first screen from the server', () => {
  afterEach(() => {
    Object.assign(document.documentElement, { lang: 'en-US', dir: 'ltr' })
  })

  for (const [language, width] of [
    ['en', 390],
    ['es', 390],
    ['ar', 390],
    ['en', 900],
  ] as const)
    for (const name of Object.keys(gallery.consent))
      it(`is the app's own (${name}, ${language}, ${width} px)`, async () => {
        await setViewport({ width, height: 844 })
        const { early, app, start } = await stage(gallery.consent[name], { language })
        const before = describeScreen(early)
        expect(before.length).to.be.greaterThan(20)
        await start()
        expect(describeScreen(app)).to.deep.equal(before)
      })

  it('keeps its language and title while the app loads the same language', async () => {
    const { early, app } = await stage(consent, { language: 'ar' })
    const { documentElement: root } = document
    Object.assign(root, { lang: 'ar-US', dir: 'rtl' })
    document.title = 'the title'
    const arabic = await loadLanguage(['ar'])
    app.speaking = new Promise(() => undefined)
    app.state = { ...initial, phase: 'flow', view: consent }
    await app.updateComplete
    expect(early.isConnected).to.equal(true)
    expect([root.lang, root.dir, document.title]).to.deep.equal(['ar-US', 'rtl', 'the title'])
    app.language = arabic
    app.speaking = null
    await waitFor(() => document.title !== 'the title', 'the app sets the title')
    expect([root.lang, root.dir]).to.deep.equal(['ar-US', 'rtl'])
  })

  it('is accessible', async () => {
    const { early } = await stage()
    await expect(early).to.be.accessible()
  })

  it('tells only the embedding page that it is shown, and loads the app', async () => {
    const { early, posted, loads } = await stage()
    expect(early.hidden).to.equal(false)
    expect(posted).to.deep.equal([[{ causeway: 'drawn', v: 1, n: 'a'.repeat(32) }, 'https://lender.example/']])
    await waitFor(() => loads() === 1)
  })

  it('stays hidden in a page that no element embeds, and the app still loads', async () => {
    const { early, posted, loads } = await stage(consent, { hash: '' })
    expect([early.hidden, posted.length]).to.deep.equal([true, 0])
    await waitFor(() => loads() === 1)
  })
})

describe('an early press', () => {
  it('is applied once, after the app has rendered the same screen', async () => {
    const { dispatched, press, start, early } = await stage()
    press('Agree and continue')
    press('Agree and continue')
    expect(early.querySelector('.cta')?.ariaBusy).to.equal('true')
    expect(dispatched).to.deep.equal([])
    await start()
    const { data, recipients } = consent
    const input = { action: 'accept', documents: data.documents, locale: 'en-US', recipients }
    expect(dispatched).to.deep.equal([{ type: 'submit', input }])
  })

  it('is dropped if the app asks for agreement to something else', async () => {
    const { dispatched, press, start, app } = await stage()
    press('Agree and continue')
    await start({ ...consent, data: { ...consent.data, documents: consent.data.documents.slice(1) } })
    expect(app.querySelector('.cta')).not.to.equal(null)
    expect(dispatched).to.deep.equal([])
  })

  it('is dropped if the app names another recipient', async () => {
    const { dispatched, press, start, app } = await stage()
    press('Agree and continue')
    await start({ ...consent, recipients: { ...consent.recipients, service: 'Harbor Data' } })
    expect(app.querySelector('.cta')).not.to.equal(null)
    expect(dispatched).to.deep.equal([])
  })

  it('is dropped if the app speaks another language', async () => {
    const { dispatched, press, start } = await stage()
    press('Agree and continue')
    await start(consent, 'es')
    expect(dispatched).to.deep.equal([])
  })

  it('is dropped if the app shows another state', async () => {
    const { app, dispatched, press, early } = await stage()
    press('Close')
    app.state = { ...initial, phase: 'closed' }
    await waitFor(() => !early.isConnected)
    expect(dispatched).to.deep.equal([])
  })

  it('that closes the flow closes it', async () => {
    const { dispatched, press, start } = await stage()
    press('Close')
    await start()
    expect(dispatched).to.deep.equal([{ type: 'exit', reason: 'user' }])
  })

  it('keeps the focus and an opened document', async () => {
    const { early, app, start } = await stage()
    const [details, , second] = early.querySelectorAll('details')
    for (const each of [details!, second!]) each.open = true
    second!.querySelector('summary')!.focus()
    await start()
    const opened = [...app.querySelectorAll('details')].slice(0, 3)
    expect(opened.map(({ open }) => open)).to.deep.equal([true, false, true])
    expect(document.activeElement === opened[2]!.querySelector('summary')).to.equal(true)
  })
})
