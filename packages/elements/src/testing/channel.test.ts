import type { Hello } from '@causeway/contract/frame'
import { expect } from '@open-wc/testing'
import { createChannel } from '../channel.js'
import {
  addElement,
  commandFrame,
  FRAME,
  frameOf,
  frameSettled,
  newHandle,
  nextEvent,
  openReady,
  recordMessages,
  tokenOf,
  waitFor,
} from './double.js'

describe('a hello', () => {
  /** Sends a hello with these fields from the frame's window, and returns how many times the channel accepted it. */
  function hellosAfter(fields: Partial<Hello>, from: MessageEventInit = {}): number {
    const abort = new AbortController()
    let hellos = 0
    const channel = createChannel({
      origin: FRAME,
      handle: newHandle('mute'),
      init: () => ({ mode: 'connect', display: 'modal', locale: null, appearance: null, theme: {}, hidden: false }),
      onHello: () => {
        hellos += 1
      },
      onDrawn: () => undefined,
      onMessage: () => undefined,
      signal: abort.signal,
    })
    const n = new URLSearchParams(new URL(channel.frame.src).hash.slice(1)).get('n')!
    const data = { causeway: 'hello', v: 1, n, ...fields }
    window.dispatchEvent(new MessageEvent('message', { source: null, origin: FRAME, data }))
    document.body.append(channel.frame)
    const { contentWindow: source } = channel.frame
    window.dispatchEvent(new MessageEvent('message', { source, origin: FRAME, data, ...from }))
    abort.abort()
    window.dispatchEvent(new MessageEvent('message', { source, origin: FRAME, data, ...from }))
    channel.frame.remove()
    return hellos
  }

  it('is answered only if it comes from the frame, at its origin, with the nonce, while the channel is open', () => {
    expect(hellosAfter({})).to.equal(1)
    expect(hellosAfter({}, { source: window })).to.equal(0)
    expect(hellosAfter({}, { source: null })).to.equal(0)
    expect(hellosAfter({}, { origin: location.origin })).to.equal(0)
    expect(hellosAfter({}, { origin: 'null' })).to.equal(0)
    expect(hellosAfter({ n: '0'.repeat(32) })).to.equal(0)
    expect(hellosAfter({ v: 3 })).to.equal(0)
  })
})

describe('the channel', () => {
  it('puts only the handle, its settings, a nonce and its origin in the frame URL, not the rest of the token', async () => {
    const handle = newHandle()
    const heard = recordMessages(handle)
    const element = await addElement(handle)
    element.open()
    const { loaded, referrer, nonce } = await heard.next('loaded')
    const { origin, pathname, hash, searchParams } = new URL(loaded)
    expect([origin, pathname, hash]).to.deep.equal([FRAME, `/e/${handle}`, `#n=${nonce}&o=${location.origin}`])
    expect([...searchParams.keys()]).to.deep.equal(['init'])
    expect(JSON.parse(searchParams.get('init')!)).to.deep.equal({
      mode: 'connect',
      display: 'modal',
      locale: null,
      appearance: null,
      theme: {},
      hidden: false,
    })
    expect(nonce).to.match(/^[0-9a-f]{32}$/)
    expect(loaded).not.to.contain('ssss')
    expect(referrer).to.equal(`${location.origin}/`)
    const frame = frameOf(element)
    expect(frame.getAttribute('sandbox')).not.to.contain('top-navigation')
    expect(frame.getAttribute('sandbox')).to.contain('allow-downloads')
    expect(frame.getAttribute('allow')).to.equal('otp-credentials')
    expect(frame.title).to.equal('Connect your accounts')
    expect(element.outerHTML).not.to.contain('pk_elem_')
  })

  it('answers a hello with the settings from the exact origin of the page', async () => {
    const handle = newHandle()
    const heard = recordMessages(handle)
    const theme = { accent: '#0a7d4f', radius: 8, text: 'url(evil)' }
    const element = await addElement(
      handle,
      { locale: 'es-MX', appearance: 'dark', theme },
      'opal-balance-transfer-element',
    )
    element.open()
    const { init, origin, nonce } = { ...(await heard.next('loaded')), ...(await heard.next('init')) }
    expect(origin).to.equal(location.origin)
    expect(init).to.deep.equal({
      causeway: 'init',
      v: 1,
      n: nonce,
      mode: 'balance_transfer',
      display: 'modal',
      locale: 'es-MX',
      appearance: 'dark',
      theme: { accent: '#0a7d4f', radius: 8 },
      hidden: false,
    })
    expect(frameOf(element).title).to.equal('Elige los saldos que quieres pagar')
  })

  it('ignores a hello with another nonce or an unsupported version', async () => {
    const handle = newHandle('mute')
    const heard = recordMessages(handle)
    const element = await addElement(handle)
    element.open()
    await heard.next('loaded')
    commandFrame(frameOf(element), { hello: { n: 'f'.repeat(32) } })
    commandFrame(frameOf(element), { hello: { v: 3 } })
    commandFrame(frameOf(element), { hello: { v: 0 } })
    await frameSettled(frameOf(element), heard)
    expect(heard.count('init')).to.equal(0)
  })

  it('answers a frame that is one version ahead with its own version', async () => {
    const handle = newHandle('mute')
    const heard = recordMessages(handle)
    const element = await addElement(handle)
    element.open()
    await heard.next('loaded')
    commandFrame(frameOf(element), { hello: { v: 2 } })
    expect((await heard.next('init')).init.v).to.equal(1)
  })

  it('ignores a hello from another window at the frame origin that has the nonce', async () => {
    const handle = newHandle('mute')
    const heard = recordMessages(handle)
    const element = await addElement(handle)
    element.open()
    const { nonce } = await heard.next('loaded')
    const other = newHandle()
    const heardOther = recordMessages(other)
    const impostor = document.createElement('iframe')
    impostor.src = `${FRAME}/e/${other}#n=${nonce}`
    element.parentElement!.append(impostor)
    await heardOther.next('loaded')
    await frameSettled(impostor, heardOther)
    await frameSettled(frameOf(element), heard)
    expect(heardOther.count('init')).to.equal(0)
    expect(heard.count('init')).to.equal(0)
  })

  it('ignores its own frame after that frame navigates to another origin', async () => {
    const handle = newHandle('mute')
    const heard = recordMessages(handle)
    const element = await addElement(handle)
    element.open()
    const { nonce } = await heard.next('loaded')
    const elsewhere = newHandle()
    const heardElsewhere = recordMessages(elsewhere)
    frameOf(element).src = `${location.origin}/e/${elsewhere}#n=${nonce}`
    await heardElsewhere.next('loaded')
    await frameSettled(frameOf(element), heardElsewhere)
    expect(heardElsewhere.count('init')).to.equal(0)
  })

  it('gives a reloaded frame a new port, but no used token', async () => {
    const { element, frame, heard, handle } = await openReady()
    commandFrame(frame, { say: [{ type: 'auth.request', reason: 'initial' }] })
    expect((await heard.next('port')).port).to.deep.equal({ type: 'auth.token', token: tokenOf(handle) })
    commandFrame(frame, { reload: true })
    await heard.next('init', 2)
    const error = nextEvent(element, 'element-error')
    commandFrame(frame, { say: [{ type: 'auth.request', reason: 'initial' }] })
    expect((await heard.next('port', 2)).port).to.deep.equal({ type: 'auth.token', token: null })
    expect((await error).sub_type).to.equal('TOKEN_REQUIRED')
  })

  it('drops messages that are malformed, too large or over the rate limit', async () => {
    const { element, frame, heard } = await openReady()
    const names: string[] = []
    element.addEventListener('element-event', event => names.push(event.name))
    const line = (type: string, data: Record<string, unknown> | null = null) => ({
      type: 'event',
      event: { type, timestamp: '2026-01-01T00:00:00.000Z', data },
    })
    commandFrame(frame, {
      say: [
        { type: 'success', session_id: '<b>', entity_id: 'ent_1', accounts: [] },
        { type: 'unheard.of' },
        line('too.large', { text: 'x'.repeat(20_000) }),
        ...Array.from({ length: 100 }, (_, index) => line(`connect.line.${index}`)),
      ],
    })
    await waitFor(() => names.length >= 40)
    expect(names[0]).to.equal('connect.line.0')
    // After one second, the channel accepts messages from the frame again.
    while (names.at(-1) !== 'connect.last') {
      commandFrame(frame, { say: [line('connect.last')] })
      await frameSettled(frame, heard)
    }
    expect(names.filter(name => name.startsWith('connect.line')).length).to.be.at.most(50)
  })

  it('keeps a burst of property changes under the rate limit and sends the last value', async () => {
    const { element, heard } = await openReady()
    for (let radius = 0; radius <= 20; radius++) {
      element.theme = { radius }
      await element.updateComplete
    }
    const { port } = await heard.next('port')
    expect(port).to.deep.equal({ type: 'set', theme: { radius: 20 } })
  })
})
