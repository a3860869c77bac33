import { expect, fixture } from '@open-wc/testing'
import { sendMouse, setViewport } from '@web/test-runner-commands'
import type { ConnectElement } from '../connect-element.js'
import type { FlowElement } from '../element.js'
import { PREPARED_LIFETIME_MS } from '../opening.js'
import {
  addElement,
  commandFrame,
  FRAME,
  frameOf,
  messagesDelivered,
  newHandle,
  recordMessages,
  tokenOf,
  waitFor,
} from './double.js'

const success = { type: 'success', session_id: 'osess_1', entity_id: 'ent_1', accounts: [], result: null } as const
const preloaded = () => document.querySelectorAll<HTMLIFrameElement>(`iframe[src="${FRAME}/preload"]`)
const dialogOf = (element: FlowElement) => element.shadowRoot!.querySelector('dialog')!

describe('preloading', () => {
  afterEach(() => {
    for (const frame of preloaded()) frame.remove()
  })
  const element = async (attributes: string, home = '<div></div>') => {
    const parent = await fixture<HTMLDivElement>(home)
    parent.innerHTML = `<connect-element frame-origin="${FRAME}" ${attributes}></connect-element>`
    const made = parent.querySelector('connect-element')!
    await made.updateComplete
    return { parent, made }
  }

  it('loads one frame per origin, which is never displayed', () => {
    const { preload } = customElements.get('connect-element') as unknown as typeof ConnectElement
    preload(FRAME)
    preload(`${FRAME}/`)
    expect(preloaded().length).to.equal(1)
    const style = document.createElement('style')
    style.textContent = 'iframe { display: block }'
    document.head.append(style)
    expect(preloaded()[0]!.checkVisibility()).to.equal(false)
    style.remove()
    expect(() => preload('http://frame.example.com'))
      .to.throw()
      .with.property('name', 'FRAME_ORIGIN_REFUSED')
  })

  it('starts when the browser is idle', async () => {
    await element('preload="idle"')
    await waitFor(() => preloaded().length === 1)
  })

  it('starts when the pointer or the focus enters the parent, and not before', async () => {
    for (const type of ['pointerover', 'focusin']) {
      const { parent } = await element('preload="hover"')
      const button = document.createElement('button')
      parent.append(button)
      expect(preloaded().length).to.equal(0)
      button.dispatchEvent(new Event(type, { bubbles: true }))
      expect(preloaded().length, type).to.equal(1)
      preloaded()[0]!.remove()
    }
  })

  it('starts when the parent is scrolled into view, and not before', async () => {
    await setViewport({ width: 800, height: 600 })
    const { parent } = await element('preload="visible"', '<div style="margin-top: 3000px; height: 20px"></div>')
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    expect(preloaded().length).to.equal(0)
    parent.scrollIntoView()
    await waitFor(() => preloaded().length === 1)
  })

  it('still starts after the element was moved', async () => {
    const { parent, made } = await element('preload="hover"')
    const home = document.createElement('div')
    parent.append(home)
    home.append(made)
    home.dispatchEvent(new Event('pointerover'))
    expect(preloaded().length).to.equal(1)
  })

  it('does not start for an element that was removed or whose preload was canceled', async () => {
    const { parent, made } = await element('preload="hover"')
    made.preload = null
    await made.updateComplete
    parent.dispatchEvent(new Event('pointerover'))
    made.preload = 'hover'
    await made.updateComplete
    made.remove()
    parent.dispatchEvent(new Event('pointerover'))
    expect(preloaded().length).to.equal(0)
  })
})

describe('preparing', () => {
  const names = ['element-open', 'element-ready', 'element-event', 'element-error', 'element-exit']
  const setUp = async (handle: string, fields: Partial<FlowElement> = {}) => {
    const heard = recordMessages(handle)
    const element = await addElement(handle, fields)
    const seen: string[] = []
    for (const name of names) element.addEventListener(name, () => seen.push(name))
    return { element, heard, seen }
  }
  const rejection = (preparing: Promise<void>) =>
    preparing.then(
      () => 'prepared',
      ({ name }) => name,
    )

  for (const display of ['modal', 'inline'] as const)
    it(`uses the token in a hidden frame, which open() shows immediately: ${display}`, async () => {
      const { element, heard, seen } = await setUp(newHandle('eager'), { display })
      await element.prepare()
      await element.prepare()
      const frame = frameOf(element)
      const { init } = await heard.next('init')
      expect(init.hidden).to.equal(true)
      expect(seen).to.deep.equal([])
      expect(element.opened).to.equal(false)
      await element.updateComplete
      expect(frame.checkVisibility({ visibilityProperty: true })).to.equal(false)
      expect(frame.getBoundingClientRect().height).to.be.greaterThan(100)

      void element.open()
      expect(frame.checkVisibility({ visibilityProperty: true })).to.equal(true)
      if (display === 'modal') expect(dialogOf(element).matches(':modal')).to.equal(true)
      expect(seen).to.deep.equal(['element-open', 'element-ready'])
      expect((await heard.next('port', 2)).port).to.deep.equal({ type: 'open' })
      expect(frameOf(element)).to.equal(frame)
      expect(heard.count('loaded')).to.equal(1)
      element.close()
    })

  it('accepts no pointer, key or focus before open()', async () => {
    const { element } = await setUp(newHandle('eager'))
    await element.prepare()
    await element.updateComplete
    const frame = frameOf(element)
    const box = dialogOf(element).getBoundingClientRect()
    let pressed = 0
    const count = () => pressed++
    document.addEventListener('click', count)
    await sendMouse({ type: 'click', position: [Math.round(box.x + box.width / 2), Math.round(box.y + 100)] })
    document.removeEventListener('click', count)
    expect(pressed).to.equal(1)
    frame.focus()
    expect(document.activeElement).not.to.equal(element)
    expect(dialogOf(element).inert).to.equal(true)
    element.close()
  })

  it('forwards nothing from the frame before open()', async () => {
    const handle = newHandle()
    const { element, heard, seen } = await setUp(handle, { getToken: () => tokenOf(newHandle()) })
    const preparing = element.prepare()
    await heard.next('init')
    commandFrame(frameOf(element), { say: [{ type: 'ready' }] })
    await preparing
    const event = { type: 'test.early', timestamp: '2026-01-01T00:00:00.000Z', data: null }
    const asked = { type: 'auth.request', reason: 'initial' }
    commandFrame(frameOf(element), {
      say: [{ type: 'event', event }, success, { type: 'exit.request', reason: 'user' }, asked],
    })
    // The port preserves order: by the time the element responds to the request, it has read all earlier messages.
    await heard.next('port')
    const outcome = element.open()
    await messagesDelivered(element)
    expect(seen).to.deep.equal(['element-open', 'element-ready', 'element-event'])
    element.close()
    expect((await outcome).reason).to.equal('user')
  })

  it('continues as an opening if open() comes first', async () => {
    const handle = newHandle('mute')
    const { element, heard, seen } = await setUp(handle)
    const preparing = element.prepare()
    await heard.next('loaded')
    const outcome = element.open()
    await preparing
    expect(seen).to.deep.equal(['element-open'])
    commandFrame(frameOf(element), { hello: {} })
    expect((await heard.next('init')).init.hidden).to.equal(false)
    element.close()
    expect((await outcome).reason).to.equal('user')
  })

  it('rejects without a token and without an event, and open() starts over', async () => {
    const { element, seen } = await setUp('', { token: null })
    expect(await rejection(element.prepare())).to.equal('TOKEN_REQUIRED')
    expect(element.shadowRoot!.querySelector('iframe')).to.equal(null)
    expect(seen).to.deep.equal([])
    const handle = newHandle('eager')
    const heard = recordMessages(handle)
    element.token = tokenOf(handle)
    void element.open()
    expect((await heard.next('init')).init.hidden).to.equal(false)
    element.close()
  })

  it('rejects if the element is not in the page, the origin is wrong or the frame reports an error', async () => {
    const outside = document.createElement('connect-element')
    expect(await rejection(outside.prepare())).to.equal('NOT_CONNECTED')
    const { element: wrong } = await setUp(newHandle(), { frameOrigin: location.origin })
    expect(await rejection(wrong.prepare())).to.equal('FRAME_ORIGIN_REFUSED')
    const { element, heard, seen } = await setUp(newHandle())
    const preparing = rejection(element.prepare())
    await heard.next('init')
    const error = { error_type: 'INVALID_REQUEST', sub_type: 'ORIGIN_NOT_ALLOWED', message: 'No.', request_id: null }
    commandFrame(frameOf(element), { say: [{ type: 'error', recoverable: false, ...error }] })
    expect(await preparing).to.equal('ORIGIN_NOT_ALLOWED')
    await element.updateComplete
    expect(element.shadowRoot!.querySelector('iframe')).to.equal(null)
    expect(seen).to.deep.equal([])
  })

  it('is discarded by close() and by a removal, without an event', async () => {
    for (const end of [(element: FlowElement) => element.close(), (element: FlowElement) => element.remove()]) {
      const { element, heard, seen } = await setUp(newHandle('mute'))
      const preparing = rejection(element.prepare())
      await heard.next('loaded')
      end(element)
      expect(await preparing).to.equal('NOT_CONNECTED')
      await waitFor(() => !element.shadowRoot!.querySelector('iframe'))
      expect(seen).to.deep.equal([])
    }
  })

  describe('after its time', () => {
    const { setTimeout: wait } = window
    before(() => {
      window.setTimeout = ((work: TimerHandler, ms?: number) =>
        wait(work, ms === PREPARED_LIFETIME_MS ? 20 : ms)) as typeof wait
    })
    after(() => {
      window.setTimeout = wait
    })

    it('is removed, and open() requests another token', async () => {
      const handles = [newHandle('eager'), newHandle('eager')]
      const heard = recordMessages(handles[1]!)
      const reasons: string[] = []
      const getToken = (reason: string) => tokenOf(handles[reasons.push(reason) - 1]!)
      const { element, seen } = await setUp('', { token: null, getToken })
      await element.prepare()
      await waitFor(() => !element.shadowRoot!.querySelector('iframe'))
      expect(seen).to.deep.equal([])
      void element.open()
      await heard.next('init')
      expect(reasons).to.deep.equal(['initial', 'initial'])
      element.close()
    })

    it('stays if it was opened', async () => {
      const { element } = await setUp(newHandle('eager'))
      const preparing = element.prepare()
      await preparing
      void element.open()
      await new Promise(resolve => wait(resolve, 60))
      expect(element.opened).to.equal(true)
      expect(frameOf(element).checkVisibility({ visibilityProperty: true })).to.equal(true)
      element.close()
    })
  })
})
