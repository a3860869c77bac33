import type { ViewOf } from '@causeway/contract/session'
import { expect } from '@open-wc/testing'
import { gallery } from '../../../dev/fixtures.js'
import { mount } from '../../testing/mount.js'
import { until } from '../../testing/until.js'

const silent = gallery.code['silent'] as ViewOf<'code'>
const [first, second] = silent.data.silent!

/** The browser's connection type; absent unless a test provides it. */
const connected = (type: string) =>
  Object.defineProperty(navigator, 'connection', { value: { type }, configurable: true })

interface Asked extends RequestInit {
  url: string
  answer: () => void
  fail: () => void
}

describe('a phone that its carrier may know', () => {
  const { fetch } = window
  let asked: Asked[]
  beforeEach(() => {
    asked = []
    window.fetch = (url, init) =>
      new Promise((resolve, reject) => {
        asked.push({
          ...init,
          url: String(url),
          answer: () => resolve(new Response()),
          fail: () => reject(new TypeError('unreachable')),
        })
      })
  })
  afterEach(() => {
    window.fetch = fetch
    Reflect.deleteProperty(navigator, 'connection')
  })

  it('is offered with the number on a mobile network alone', async () => {
    for (const [type, input] of [
      ['cellular', { action: 'send', silent: true }],
      ['wifi', { action: 'send' }],
    ] as const) {
      connected(type)
      const { sent, act } = await mount(gallery.phone['plain']!)
      await act()
      expect(sent).to.deep.equal([input])
    }
  })

  it('opens every address once, with nothing of the page or the person, and says so', async () => {
    connected('cellular')
    const { sent, find, show } = await mount(silent)
    expect(find('[role="status"]').textContent).to.contain('This takes a few seconds')
    expect(asked.map(({ url }) => url)).to.deep.equal([first, second])
    for (const { mode, credentials, referrerPolicy, body } of asked)
      expect([mode, credentials, referrerPolicy, body]).to.deep.equal(['no-cors', 'omit', 'no-referrer', undefined])
    await show({ ...silent, now: silent.now })
    asked[0]!.answer()
    asked[1]!.fail()
    await until(() => sent.length > 0)
    expect(sent).to.deep.equal([{ action: 'silent' }])
    expect(asked).to.have.length(2)
  })

  it('where none can be reached, a code is asked for at once', async () => {
    connected('cellular')
    const { sent } = await mount(silent)
    for (const { fail } of asked) fail()
    await until(() => sent.length > 0)
    expect(sent).to.deep.equal([{ action: 'resend' }])
  })

  it('gives up on an address that takes longer than a text would', async () => {
    connected('cellular')
    const { timeout } = AbortSignal
    const limits: number[] = []
    const over = new AbortController()
    AbortSignal.timeout = ms => {
      limits.push(ms)
      return over.signal
    }
    const { sent } = await mount(silent)
    AbortSignal.timeout = timeout
    for (const { signal, fail } of asked) signal!.addEventListener('abort', fail)
    over.abort()
    await until(() => sent.length > 0)
    expect(sent).to.deep.equal([{ action: 'resend' }])
    expect(limits).to.deep.equal([5_000])
  })

  it('on another device, or without a mobile network, a code is asked for and nothing is opened', async () => {
    connected('wifi')
    const { sent } = await mount(silent)
    await until(() => sent.length > 0)
    expect(sent).to.deep.equal([{ action: 'resend' }])
    expect(asked).to.deep.equal([])
  })

  it('who does not want to wait gets a code, and what comes of the addresses is no answer any more', async () => {
    connected('cellular')
    const { sent, press } = await mount(silent)
    await press('Send me a code instead')
    for (const { answer } of asked) answer()
    await new Promise(resolve => setTimeout(resolve))
    expect(sent).to.deep.equal([{ action: 'resend' }])
  })

  it('who left the screen is asked nothing any more', async () => {
    connected('cellular')
    const { sent, screen } = await mount(silent)
    screen.remove()
    for (const { answer } of asked) answer()
    await new Promise(resolve => setTimeout(resolve))
    expect(sent).to.deep.equal([])
  })

  it('becomes the screen of a code when one was sent, and says so where the focus goes', async () => {
    connected('cellular')
    const { show, find, text } = await mount(silent)
    await show({ ...(gallery.code['plain'] as ViewOf<'code'>), revision: 2 })
    expect(find('h1').textContent).to.equal('Enter the code we sent')
    expect(document.activeElement?.id).to.equal('code')
    expect(text()).to.contain('Send again in')
  })
})
