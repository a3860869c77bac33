// biome-ignore-all lint/style/noExcessiveLinesPerFile: it checks the outcome of every way to open and close the element.
/** Tests the element on a page. */
import { expect, fixture } from '@open-wc/testing'
import { sendKeys, sendMouse } from '@web/test-runner-commands'
import type { ConnectElement } from '../connect-element.js'
import type { FlowElement } from '../element.js'
import {
  addElement,
  commandFrame,
  FRAME,
  frameSettled,
  messagesDelivered,
  newHandle,
  nextEvent,
  openReady,
  recordMessages,
  tokenOf,
} from './double.js'

const success = {
  type: 'success',
  session_id: 'osess_1a',
  entity_id: 'ent_1a',
  accounts: ['acc_1a', 'acc_2b'],
  result: 'a.signed.account',
} as const

const partOf = <T extends HTMLElement>(element: HTMLElement, part: string) =>
  element.shadowRoot?.querySelector<T>(`[part="${part}"]`)

describe('opening and ending', () => {
  it('opens a modal and dispatches element-open', async () => {
    const element = await addElement(newHandle())
    const opened = nextEvent(element, 'element-open')
    element.open()
    const event = await opened
    expect(event.bubbles && event.composed).to.equal(true)
    expect(partOf(element, 'dialog')?.matches(':modal')).to.equal(true)
    expect(element.opened).to.equal(true)
    await element.updateComplete
    expect(element.hasAttribute('opened')).to.equal(true)
  })

  it('ends as completed, with the ids, if success came before the exit', async () => {
    const { element, outcome, frame } = await openReady()
    const told = nextEvent(element, 'element-success')
    const exit = nextEvent(element, 'element-exit')
    commandFrame(frame, { say: [success, { type: 'exit.request', reason: 'user' }] })
    const { type: _, ...ids } = success
    expect(await told).to.include({ session_id: ids.session_id, entity_id: ids.entity_id, result: ids.result })
    expect((await exit).reason).to.equal('completed')
    expect(await outcome).to.deep.equal({ reason: 'completed', ...ids })
    expect(element.opened).to.equal(false)
    expect(partOf<HTMLDialogElement>(element, 'dialog')?.open).to.equal(false)
  })

  it('ends with the reason from the frame if nothing was finished, and notifies the frame', async () => {
    const { element, outcome, frame, heard } = await openReady()
    commandFrame(frame, { say: [{ type: 'exit.request', reason: 'expired' }] })
    expect(await outcome).to.deep.equal({
      reason: 'expired',
      session_id: null,
      entity_id: null,
      accounts: [],
      result: null,
    })
    expect((await heard.next('port')).port).to.deep.equal({ type: 'close' })
    expect(element.opened).to.equal(false)
    let late = 0
    element.addEventListener('element-success', () => late++)
    commandFrame(frame, { say: [success] })
    await frameSettled(frame, heard)
    expect(late).to.equal(0)
  })

  it('stays open if the page prevents the exit', async () => {
    const { element, frame, heard } = await openReady()
    element.addEventListener('element-exit', event => event.preventDefault(), { once: true })
    commandFrame(frame, { say: [{ type: 'exit.request', reason: 'user' }] })
    await messagesDelivered(element)
    expect(element.opened).to.equal(true)
    expect(heard.count('port')).to.equal(0)
  })

  it('closes immediately on close(), even if the page prevents the exit', async () => {
    const { element, outcome } = await openReady()
    element.addEventListener('element-exit', event => event.preventDefault())
    element.close()
    expect(element.opened).to.equal(false)
    expect((await outcome).reason).to.equal('user')
  })

  it('opens and closes through the opened property', async () => {
    const element = await addElement(newHandle())
    element.opened = true
    await nextEvent(element, 'element-open')
    const exit = nextEvent(element, 'element-exit')
    element.opened = false
    expect((await exit).reason).to.equal('user')
  })

  it('returns the same opening while it is open, and a new one afterward', async () => {
    const { element, outcome } = await openReady()
    const again = element.open()
    expect(element.shadowRoot?.querySelectorAll('iframe').length).to.equal(1)
    element.close()
    expect(await again).to.equal(await outcome)
    const handle = newHandle()
    const heard = recordMessages(handle)
    element.getToken = () => `pk_elem_${handle}${'s'.repeat(33)}`
    element.open()
    await heard.next('init')
    expect(element.shadowRoot?.querySelectorAll('iframe').length).to.equal(1)
    expect(partOf(element, 'dialog')?.matches(':modal')).to.equal(true)
  })

  it('dispatches an event for each message from the frame', async () => {
    const { element, frame } = await openReady()
    const events = ['element-event', 'element-error', 'allocations-change', 'allocations-confirmed'] as const
    const all = Promise.all([
      nextEvent(element, events[0]),
      nextEvent(element, events[1]),
      nextEvent(element, events[2]),
      nextEvent(element, events[3]),
    ])
    const confirmed = {
      session_id: 'osess_1',
      entity_id: 'ent_1',
      allocations: { acc_1: 250_000 },
      residual_amount: 5,
    }
    const error = { sub_type: 'X', message: 'Y.', recoverable: true, request_id: 'req_1' }
    commandFrame(frame, {
      say: [
        { type: 'event', event: { type: 'opal.session.created', timestamp: '2026-01-01', data: { index: 1 } } },
        { type: 'error', error_type: 'API_ERROR', ...error },
        { type: 'allocations.change', total: 250_000, residual: 5 },
        { type: 'allocations.confirmed', ...confirmed },
      ],
    })
    const [event, failed, change, done] = await all
    expect(event).to.include({ type: 'element-event', name: 'opal.session.created', timestamp: '2026-01-01' })
    expect(event.data).to.deep.equal({ index: 1 })
    expect(failed).to.include({ type: 'element-error', error_type: 'API_ERROR', ...error })
    expect(change).to.include({ total: 250_000, residual: 5 })
    expect(done.allocations).to.deep.equal(confirmed.allocations)
    expect(done.residual_amount).to.equal(5)
  })
})

describe('setting up', () => {
  const refusal = async (fields: Partial<ConnectElement>): Promise<string> => {
    const element = await addElement(newHandle(), fields)
    const error = nextEvent(element, 'element-error')
    const rejected = await element.open().then(
      () => 'opened',
      ({ name }) => name,
    )
    expect((await error).sub_type).to.equal(rejected)
    expect(element.opened).to.equal(false)
    return rejected
  }

  it('refuses to open without a frame origin', async () => {
    expect(await refusal({ frameOrigin: null })).to.equal('FRAME_ORIGIN_REQUIRED')
  })

  it("rejects the page's own origin, plain http and malformed origins", async () => {
    for (const frameOrigin of [location.origin, 'http://frame.example.com', 'javascript:1', 'frame'])
      expect(await refusal({ frameOrigin }), frameOrigin).to.equal('FRAME_ORIGIN_REFUSED')
  })

  it('refuses to open when it is not in the page', async () => {
    const element = document.createElement('connect-element')
    element.frameOrigin = FRAME
    expect(await element.open().catch(({ name }) => name)).to.equal('NOT_CONNECTED')
  })

  it('reads its attributes and never reflects a token', async () => {
    const element = await fixture<ConnectElement>(
      `<connect-element frame-origin="${FRAME}" locale="es" appearance="dark" display="inline" token="x"></connect-element>`,
    )
    expect(element).to.include({ frameOrigin: FRAME, locale: 'es', appearance: 'dark', display: 'inline', token: null })
    element.token = 'secret'
    await element.updateComplete
    expect(element.outerHTML).not.to.contain('secret')
  })

  it('sends changed properties to the frame without a reload', async () => {
    const { element, heard } = await openReady()
    element.locale = 'es'
    element.appearance = 'dark'
    element.theme = { radius: 4 }
    expect((await heard.next('port')).port).to.deep.equal({
      type: 'set',
      locale: 'es',
      appearance: 'dark',
      theme: { radius: 4 },
    })
    expect(heard.count('loaded')).to.equal(1)
  })
})

describe('focus and keys', () => {
  it('moves focus inside, then to the frame once it is ready, and restores it on close', async () => {
    const opener = await fixture<HTMLButtonElement>('<button>Open</button>')
    opener.focus()
    const { element, frame, heard } = await openReady()
    expect(element.shadowRoot?.activeElement === frame).to.equal(true)
    expect((await frameSettled(frame, heard)).focused).to.equal(true)
    element.close()
    expect(document.activeElement).to.equal(opener)
  })

  it('asks the page on Escape, and stays open every time the page prevents the exit', async () => {
    const handle = newHandle('mute')
    const element = await addElement(handle)
    let asked = 0
    const onExit = (event: Event): void => {
      asked += 1
      event.preventDefault()
    }
    element.addEventListener('element-exit', onExit)
    const outcome = element.open()
    // Browsers let a page keep a dialog open only if the user has already interacted with the page.
    await sendKeys({ press: 'a' })
    let closed = 0
    partOf(element, 'dialog')?.addEventListener('close', () => closed++)
    for (let press = 1; press <= 3; press++) {
      await sendKeys({ press: 'Escape' })
      await element.updateComplete
      expect(asked).to.equal(press)
      expect(partOf(element, 'dialog')?.matches(':modal')).to.equal(true)
      if (press === 1) expect(closed).to.equal(0)
    }
    element.removeEventListener('element-exit', onExit)
    await sendKeys({ press: 'Escape' })
    expect((await outcome).reason).to.equal('user')
  })

  it('asks its frame on a close request, and closes when the frame answers', async () => {
    const { element, outcome, heard, frame } = await openReady()
    let exits = 0
    element.addEventListener('element-exit', () => exits++)
    partOf(element, 'dialog')!.dispatchEvent(new Event('cancel', { cancelable: true }))
    expect((await heard.next('port')).port).to.deep.equal({ type: 'leave' })
    expect([exits, partOf(element, 'dialog')?.matches(':modal')]).to.deep.equal([0, true])
    commandFrame(frame, { say: [{ type: 'exit.request', reason: 'user' }] })
    expect((await outcome).reason).to.equal('user')
    expect(exits).to.equal(1)
  })

  describe('closed by the browser before its frame answers', () => {
    const refuse = (sub_type: string, recoverable: boolean) => ({
      type: 'error',
      error_type: 'INVALID_AUTHORIZATION',
      sub_type,
      message: 'It was refused.',
      recoverable,
      request_id: null,
    })
    const close = (element: Element) => (partOf(element as FlowElement, 'dialog') as HTMLDialogElement).close()

    for (const [name, say, reason] of [
      ['its token was no good', [refuse('EXPIRED_TOKEN', true)], 'expired'],
      ['this page may not have it', [refuse('ORIGIN_NOT_ALLOWED', false)], 'error'],
      ['a call failed that can be sent again', [refuse('NETWORK_ERROR', true)], 'user'],
      [
        'it was over, but goes on',
        [refuse('EXPIRED_TOKEN', true), { type: 'auth.request', reason: 'expired' }],
        'user',
      ],
      ['it was over after the person had finished', [success, refuse('SESSION_EXPIRED', true)], 'completed'],
    ] as const)
      it(`ends as ${reason} if ${name}`, async () => {
        const { element, outcome, frame } = await openReady({ getToken: () => tokenOf(newHandle()) })
        commandFrame(frame, { say: [...say] })
        await messagesDelivered(element)
        close(element)
        expect((await outcome).reason).to.equal(reason)
      })

    it('ends as expired if the page had no further token', async () => {
      const { element, outcome, frame, heard } = await openReady()
      commandFrame(frame, { say: [{ type: 'auth.request', reason: 'initial' }] })
      await heard.next('port')
      commandFrame(frame, { say: [{ type: 'auth.request', reason: 'expired' }] })
      expect((await heard.next('port', 2)).port).to.deep.equal({ type: 'auth.token', token: null })
      close(element)
      expect((await outcome).reason).to.equal('expired')
    })
  })

  it('shows a close button until the frame has rendered its own', async () => {
    const element = await addElement(newHandle('mute'))
    const outcome = element.open()
    expect(element.shadowRoot?.activeElement).to.equal(partOf(element, 'close'))
    await sendKeys({ press: 'Enter' })
    expect((await outcome).reason).to.equal('user')
    const { element: ready } = await openReady()
    expect(partOf(ready, 'close')?.checkVisibility()).to.equal(false)
  })
})

describe('on a page that ignores the pointer', () => {
  it('still responds to clicks, because library dialogs disable the page around them', async () => {
    const element = await addElement(newHandle('mute'))
    document.body.style.pointerEvents = 'none'
    try {
      const outcome = element.open()
      await element.updateComplete
      const { left, top, width, height } = partOf(element, 'close')!.getBoundingClientRect()
      await sendMouse({
        type: 'click',
        position: [left + width / 2, top + height / 2].map(Math.round) as [number, number],
      })
      expect((await outcome).reason).to.equal('user')
    } finally {
      document.body.style.pointerEvents = ''
    }
  })
})

describe('inline', () => {
  it('grows and shrinks with its content, within bounds', async () => {
    const { element, frame } = await openReady({ display: 'inline' })
    expect(partOf(element, 'container')?.checkVisibility()).to.equal(true)
    for (const [height, shown] of [
      [700.2, 701],
      [10, 120],
      [90_000, 4_000],
    ] as const) {
      commandFrame(frame, { say: [{ type: 'resize', height }] })
      await messagesDelivered(element)
      expect(frame.getBoundingClientRect().height).to.equal(shown)
    }
    element.close()
    await element.updateComplete
    expect(partOf(element, 'container')?.checkVisibility()).to.equal(false)
  })

  it('scrolls the top of a new question into view, and scrolls for nothing else', async () => {
    const { element, frame } = await openReady({ display: 'inline' })
    const tail = await fixture<HTMLDivElement>('<div style="height: 4000px"></div>')
    commandFrame(frame, { say: [{ type: 'resize', height: 2_000 }] })
    await messagesDelivered(element)
    scrollTo(0, element.getBoundingClientRect().top + scrollY + 900)
    const before = scrollY
    await messagesDelivered(element)
    expect(scrollY).to.equal(before)
    const event = { type: 'connect.step.started', timestamp: '2026-01-01T00:00:00.000Z', data: null }
    commandFrame(frame, { say: [{ type: 'event', event }] })
    await messagesDelivered(element)
    expect(Math.round(element.getBoundingClientRect().top)).to.equal(0)
    tail.remove()
  })

  it('leaves the focus where it is', async () => {
    const opener = await fixture<HTMLButtonElement>('<button>Open</button>')
    opener.focus()
    await openReady({ display: 'inline' })
    expect(document.activeElement).to.equal(opener)
  })
})
