import type { ViewOf } from '@causeway/contract/session'
import { waitFor } from '@causeway/ui/testing/wait-for'
import { expect } from '@open-wc/testing'
import { gallery } from '../../../dev/fixtures.js'
import { mount } from '../../testing/mount.js'

const silent = gallery.code['silent'] as ViewOf<'code'>
const [first, second] = silent.data.silent!

/** Sets the browser's connection type, which is absent by default. */
const connected = (type: string) =>
  Object.defineProperty(navigator, 'connection', { value: { type }, configurable: true })

interface Asked extends RequestInit {
  url: string
  answer: () => void
  fail: () => void
}

describe('a phone that its carrier may recognize', () => {
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

  it('is offered with the number only on a mobile network', async () => {
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

  it('opens every URL once, without data from the page or about the person, and says so', async () => {
    connected('cellular')
    const { sent, find, show } = await mount(silent)
    expect(find('[role="status"]').textContent).to.contain('This takes a few seconds')
    expect(asked.map(({ url }) => url)).to.deep.equal([first, second])
    for (const { mode, credentials, referrerPolicy, body } of asked)
      expect([mode, credentials, referrerPolicy, body]).to.deep.equal(['no-cors', 'omit', 'no-referrer', undefined])
    await show({ ...silent, now: silent.now })
    asked[0]!.answer()
    asked[1]!.fail()
    await waitFor(() => sent.length > 0)
    expect(sent).to.deep.equal([{ action: 'silent' }])
    expect(asked).to.have.length(2)
  })

  it('requests a code immediately if no URL can be reached', async () => {
    connected('cellular')
    const { sent } = await mount(silent)
    for (const { fail } of asked) fail()
    await waitFor(() => sent.length > 0)
    expect(sent).to.deep.equal([{ action: 'resend' }])
  })

  it('gives up on a URL that takes longer than a text message would', async () => {
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
    await waitFor(() => sent.length > 0)
    expect(sent).to.deep.equal([{ action: 'resend' }])
    expect(limits).to.deep.equal([5_000])
  })

  it('requests a code and opens nothing on another device or without a mobile network', async () => {
    connected('wifi')
    const { sent } = await mount(silent)
    await waitFor(() => sent.length > 0)
    expect(sent).to.deep.equal([{ action: 'resend' }])
    expect(asked).to.deep.equal([])
  })

  it('requests a code for a person who does not want to wait, and ignores later results from the URLs', async () => {
    connected('cellular')
    const { sent, press } = await mount(silent)
    await press('Send me a code instead')
    for (const { answer } of asked) answer()
    await new Promise(resolve => setTimeout(resolve))
    expect(sent).to.deep.equal([{ action: 'resend' }])
  })

  it('requests nothing more after the person has left the screen', async () => {
    connected('cellular')
    const { sent, screen } = await mount(silent)
    screen.remove()
    for (const { answer } of asked) answer()
    await new Promise(resolve => setTimeout(resolve))
    expect(sent).to.deep.equal([])
  })

  it('becomes the code screen when a code was sent, and moves the focus there', async () => {
    connected('cellular')
    const { show, find, text } = await mount(silent)
    await show({ ...(gallery.code['plain'] as ViewOf<'code'>), revision: 2 })
    expect(find('h1').textContent).to.equal('Enter the code we sent')
    expect(document.activeElement?.id).to.equal('code')
    expect(text()).to.contain('Send again in')
  })
})
