// biome-ignore-all lint/style/noExcessiveLinesPerFile: all of them share the host that `hold` creates.
/** Tests of a hosted page. */
import type { HostedPage, SessionView } from '@causeway/contract/session'
import { expect, fixture, html } from '@open-wc/testing'
import { gallery, NOW } from '../../dev/fixtures.js'
import '../app.js'
import { waitFor } from '@causeway/ui/testing/wait-for'
import type { FlowApp } from '../app.js'
import type { FrameClient } from '../frame-client.js'
import type { Host } from '../host.js'
import { initial, type Message, type Phase } from '../machine.js'
import { applyStyles } from '../testing/mount.js'
import { translations } from '../testing/translate.js'
import { watchTranslation } from '../watch-translation.js'
import { english } from '../words/language.js'
import { createHostedPage, withLinkExchange } from './hosted-page.js'
import type { LinkHistory, LinkState } from './link-history.js'

const HANDLE = 'AbCd1234EfGh5678'
const secret = 's'.repeat(33)
const open: HostedPage = {
  link: 'open',
  brand: 'Northwind',
  accent: '#1a7f5a',
  appearance: 'dark',
  redirect: 'https://www.lender.example/back',
}
const keeping = (link: LinkState): LinkHistory => {
  let kept = link
  return {
    link: () => kept,
    keep: next => (kept = next),
    hold: () => undefined,
    onBack: () => undefined,
    release: async () => undefined,
  }
}

interface Held {
  app: FlowApp
  host: Host
  keeper: LinkHistory
  /** The values passed to the host's callbacks, in order. */
  got: unknown[]
  said: { type: string; [field: string]: unknown }[]
  /** The messages that the app dispatched, except exits, which go directly to the host. */
  dispatched: Message[]
  went: string[]
  /** Requests the first token, as the app does when it opens. */
  ask: () => Promise<void>
  title: () => string | undefined
  press: (name: string) => Promise<void>
  phase: (phase: Phase, view?: SessionView) => Promise<void>
}

async function hold(known: HostedPage, link: LinkState, keeper = keeping(link), onGo = () => 0): Promise<Held> {
  await applyStyles()
  const dispatched: Message[] = []
  const app = await fixture<FlowApp>(
    html`<causeway-flow
      .state=${{ ...initial, busy: true }}
      .now=${() => NOW}
      .dispatch=${(message: Message) => {
        if (message.type === 'exit') host.send({ type: 'exit.request', reason: message.reason })
        else dispatched.push(message)
      }}
    ></causeway-flow>`,
  )
  const got: unknown[] = []
  const said: Held['said'] = []
  const went: string[] = []
  const host = createHostedPage({
    app,
    known,
    keeper,
    say: (type, fields) => said.push({ ...fields, type }),
    handle: HANDLE,
    exchangeId: () => 'e'.repeat(32),
    go: address => {
      went.push(address)
      onGo()
    },
  })({ onInit: start => got.push(start), onMessage: message => got.push(message) })
  const settle = async () => {
    await new Promise(resolve => setTimeout(resolve))
    await app.updateComplete
  }
  return {
    app,
    host,
    keeper,
    got,
    said,
    dispatched,
    went,
    title: () => app.querySelector('h1')?.textContent ?? undefined,
    async ask() {
      host.send({ type: 'auth.request', reason: 'initial' })
      await settle()
    },
    async press(name) {
      const button = [...app.querySelectorAll<HTMLElement>('.state button')].find(
        each => each.textContent?.trim() === name,
      )
      if (!button) throw new Error(`no button is called ${name}`)
      button.click()
      await settle()
    },
    async phase(phase, view) {
      app.state = { ...app.state, phase, busy: false, ...(view ? { view } : {}) }
      await settle()
    },
  }
}
const token = { type: 'auth.token', token: `pk_elem_${HANDLE}${secret}` }
const none = { type: 'auth.token', token: null }

describe('a hosted page', () => {
  it("opens with the customer's theme, regardless of the link's purpose", async () => {
    const { host, got, said } = await hold(open, { secret })
    host.open()
    expect(got).to.deep.equal([
      { locale: null, appearance: 'dark', theme: { accent: '#1a7f5a' }, display: 'page', mode: null, hidden: false },
    ])
    expect(said).to.deep.equal([{ type: 'element-open' }])
  })

  it('waits for a press before it uses the link, and shows who sent it and where the person returns', async () => {
    const { app, ask, got, press, title, keeper } = await hold(open, { secret })
    await ask()
    expect(got).to.deep.equal([])
    expect(title()).to.equal('Continue with Northwind')
    expect(document.title).to.equal('Continue with Northwind')
    expect(app.querySelector('.brand-name')?.textContent).to.equal('Northwind')
    expect(app.textContent).to.contain('www.lender.example')
    await expect(app).to.be.accessible()
    await press('Begin')
    expect(got).to.deep.equal([token])
    expect(keeper.link()).to.deep.equal({ secret, exchange: 'e'.repeat(32) })
    expect(app.querySelectorAll('.bone').length).to.be.greaterThan(3)
  })

  it("says on the person's own page that it shows what is shared, and shares nothing new", async () => {
    const { app, ask, title } = await hold({ ...open, own: true }, { secret })
    await ask()
    expect([title(), document.title]).to.deep.equal(['What you share with Northwind', 'What you share with Northwind'])
    expect(app.textContent).to.contain('you see what you share with Northwind, and you can stop it')
    expect(app.textContent).not.to.match(/You choose what to share|two minutes|Nothing has been shared/)
    await expect(app).to.be.accessible()
  })

  it("shows the customer's logo before anything is pressed, or their first letter if the logo does not load", async () => {
    const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
    const { app, ask } = await hold({ ...open, logo: pixel }, { secret })
    await ask()
    expect(app.querySelector<HTMLImageElement>('img.brand-mark')?.src).to.equal(pixel)
    const broken = await hold({ ...open, logo: 'data:image/png;base64,AAAA' }, { secret })
    await broken.ask()
    await waitFor(() => broken.app.querySelector('span.brand-mark')?.textContent === 'N')
  })

  for (const [way, translate] of Object.entries(translations))
    it(`shows the later states after a translation with ${way}`, async () => {
      const stop = watchTranslation(document.body)
      const { app, ask, got, title, phase } = await hold(open, { secret })
      await ask()
      translate(app)
      await new Promise(resolve => setTimeout(resolve))
      app.querySelector<HTMLElement>('.state button')!.click()
      await app.updateComplete
      expect(got).to.deep.equal([token])
      expect(app.querySelectorAll('.bone').length).to.be.greaterThan(3)
      await phase('over')
      await waitFor(() => title()?.trim() === 'Your session has ended')
      translate(app)
      await new Promise(resolve => setTimeout(resolve))
      await phase('closed')
      await waitFor(() => title()?.trim() === english.words.fault.closedTitle)
      expect(app.querySelector('.brand-name')?.textContent).to.equal('Northwind')
      stop()
    })

  for (const link of [{ secret, exchange: 'e' }, { bearer: 'b' }])
    it(`continues without a press after a reload, ${link.secret ? 'while the answer is out' : 'once it was opened'}`, async () => {
      const { ask, got } = await hold({ ...open, link: 'used' }, link)
      await ask()
      expect(got).to.have.length(1)
    })

  for (const [name, known, link, words] of [
    ['used elsewhere', { ...open, link: 'used' }, { secret }, 'This link can’t be used anymore'],
    ['too old', { ...open, link: 'late' }, { secret }, 'This link can’t be used anymore'],
    ['without its secret', open, {}, 'This link isn’t complete'],
    ['unknown', { link: 'unknown' }, { secret }, 'This link isn’t complete'],
  ] as const)
    it(`says what to do about a link that is ${name}, and notifies the app`, async () => {
      const { app, ask, got, said, title } = await hold(known, link)
      await ask()
      expect(title()).to.equal(words)
      expect(got).to.deep.equal([])
      expect(said.map(({ type, sub_type }) => [type, sub_type])).to.deep.equal([['element-error', 'TOKEN_REQUIRED']])
      await expect(app).to.be.accessible()
    })

  it('returns from a used link, and reports it as expired', async () => {
    const { ask, press, went, said, got } = await hold({ ...open, link: 'used' }, { secret })
    await ask()
    await press('Go back to Northwind')
    expect(went).to.deep.equal(['https://www.lender.example/back?status=expired'])
    expect(said.at(-1)).to.deep.equal({ type: 'element-exit', reason: 'expired' })
    expect(got).to.deep.equal([{ type: 'close' }])
  })

  it('has no other token, so a session that is over stays over', async () => {
    const { app, host, phase, got, title } = await hold(open, { bearer: 'b' })
    host.send({ type: 'auth.request', reason: 'expired' })
    await phase('over')
    expect(got).to.deep.equal([none])
    expect(title()).to.equal('Your session has ended')
    await expect(app).to.be.accessible()
  })

  it('goes back with ids and the outcome, and shows the URL as a link if navigation is blocked', async () => {
    const { app, host, phase, went, title, said } = await hold(open, { bearer: 'b' })
    const view = gallery.done['plain']!
    await phase('flow', view)
    const { session_id, entity_id } = view
    host.send({ type: 'success', session_id, entity_id, accounts: [], result: null })
    host.send({ type: 'exit.request', reason: 'user' })
    await phase('closed')
    const address = `https://www.lender.example/back?status=success&session_id=${session_id}&entity_id=${entity_id}`
    expect(went).to.deep.equal([address])
    expect(said.map(({ type }) => type)).to.deep.equal(['element-success', 'element-exit'])
    expect(title()).to.equal('Taking you back to Northwind')
    expect(app.querySelector<HTMLAnchorElement>('.state a')?.href).to.equal(address)
    await expect(app).to.be.accessible()
  })

  it('says that it can be closed if there is no return URL', async () => {
    const { host, phase, went, title } = await hold({ ...open, redirect: null }, { bearer: 'b' })
    host.send({ type: 'exit.request', reason: 'user' })
    await phase('closed')
    expect(went).to.deep.equal([])
    expect(title()).to.equal('You can close this window')
  })

  it('moves the focus to the first screen, because no surrounding page has it', async () => {
    const { app, phase } = await hold(open, { bearer: 'b' })
    app.display = 'page'
    await phase('flow', gallery.consent['plain']!)
    await waitFor(() => document.activeElement?.localName === 'h1')
  })
})

describe('going back on a hosted page', () => {
  const question = () => document.querySelector<HTMLDialogElement>('dialog.ask')
  const asked = async () => {
    await waitFor(() => question()?.open)
    return question()!
  }
  const answer = (dialog: HTMLDialogElement, name: string) =>
    [...dialog.querySelectorAll('button')].find(({ textContent }) => textContent === name)!.click()

  it('asks if there is no previous step, keeps what was typed, and leaves if the person chooses to', async () => {
    const { app, keeper, phase, went, said, dispatched } = await hold(open, { bearer: 'b' })
    await phase('flow', { ...gallery.phone['empty']!, can_go_back: false })
    await waitFor(() => app.querySelector('#phone') !== null)
    const input = app.querySelector<HTMLInputElement>('#phone')!
    input.value = '5125550100'
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    keeper.onBack()
    const dialog = await asked()
    await expect(dialog).to.be.accessible()
    keeper.onBack()
    expect(document.querySelectorAll('dialog')).to.have.length(1)
    answer(dialog, 'Stay here')
    await waitFor(() => question() === null)
    expect(app.querySelector<HTMLInputElement>('#phone')?.value).to.equal('(512) 555-0100')
    expect(dispatched).to.deep.equal([])
    keeper.onBack()
    answer(await asked(), 'Leave')
    await waitFor(() => went.length === 1)
    expect(went[0]).to.contain('status=exit')
    expect(said.at(-1)).to.deep.equal({ type: 'element-exit', reason: 'user' })
  })

  it('goes one step back if there is a previous step', async () => {
    const { keeper, phase, dispatched } = await hold(open, { bearer: 'b' })
    await phase('flow', gallery.allocation['plain']!)
    keeper.onBack()
    await new Promise(resolve => setTimeout(resolve))
    expect(dispatched).to.deep.equal([{ type: 'submit', input: { action: 'back' } }])
    expect(question()).to.equal(null)
  })

  it('closes a finished flow without asking', async () => {
    const { host, keeper, phase, went } = await hold(open, { bearer: 'b' })
    const view = gallery.done['plain']!
    await phase('flow', view)
    host.send({ type: 'success', session_id: view.session_id, entity_id: view.entity_id, accounts: [], result: null })
    keeper.onBack()
    await waitFor(() => went.length === 1)
    expect(went[0]).to.contain('status=success')
  })

  it('is held once the link is exchanged, and released before returning to the customer', async () => {
    const order: string[] = []
    const keeper: LinkHistory = {
      ...keeping({ secret, exchange: 'e' }),
      hold: () => order.push('hold'),
      release: async () => void order.push('release'),
    }
    const { redeem } = withLinkExchange(keeper)({
      redeem: async () => ({ ok: true, value: { bearer: 'b', view: gallery.consent['plain']! } }),
    } as unknown as FrameClient)
    await redeem({ token: token.token, exchange_id: 'new', origin: null, mode: null })
    expect(order).to.deep.equal(['hold'])
    const { host } = await hold(open, {}, keeper, () => order.push('go'))
    host.send({ type: 'exit.request', reason: 'user' })
    await waitFor(() => order.includes('go'))
    expect(order).to.deep.equal(['hold', 'release', 'go'])
  })
})

describe('the exchange of a link', () => {
  const view = gallery.consent['plain']!
  const fault = { kind: 'offline', error_type: '', sub_type: '', message: '', request_id: null, wait: null } as const
  const request = { token: token.token, exchange_id: 'new', origin: null, mode: null }
  const calls = (over: Partial<FrameClient>): FrameClient => over as FrameClient

  it('uses the id stored before the call, and stores the bearer that it returns', async () => {
    const keeper = keeping({ secret, exchange: 'first' })
    const asked: string[] = []
    const { redeem } = withLinkExchange(keeper)(
      calls({
        redeem: async given => {
          asked.push(given.exchange_id)
          return { ok: true, value: { bearer: 'b', view } }
        },
      }),
    )
    await redeem(request)
    expect(asked).to.deep.equal(['first'])
    expect(keeper.link()).to.deep.equal({ bearer: 'b' })
  })

  it('is not repeated: its bearer opens the session', async () => {
    const { redeem } = withLinkExchange(keeping({ bearer: 'b' }))(
      calls({ view: async () => ({ ok: true, value: view }) }),
    )
    expect(await redeem(request)).to.deep.equal({ ok: true, value: { bearer: 'b', view } })
  })

  it('leaves the link unchanged if it fails', async () => {
    const keeper = keeping({ secret, exchange: 'first' })
    const { redeem } = withLinkExchange(keeper)(calls({ redeem: async () => ({ ok: false, fault }) }))
    expect(await redeem(request)).to.deep.equal({ ok: false, fault })
    expect(keeper.link()).to.deep.equal({ secret, exchange: 'first' })
  })
})
