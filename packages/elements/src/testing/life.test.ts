// biome-ignore-all lint/style/noExcessiveLinesPerFile: it has a test for each kind of failure.
/** Tests the lifecycle of an element, from its token to its removal. */
import { aTimeout, expect } from '@open-wc/testing'
import { setViewport } from '@web/test-runner-commands'
import { GET_TOKEN_TIMEOUT_MS } from '../tokens.js'
import {
  addElement,
  animationsEnd,
  commandFrame,
  FRAME,
  frameOf,
  frameSettled,
  messagesDelivered,
  newHandle,
  nextEvent,
  openReady,
  recordMessages,
  tokenOf,
} from './double.js'

const countEvents = (element: HTMLElement): string[] => {
  const seen: string[] = []
  for (const name of ['element-open', 'element-error', 'element-exit', 'element-success'])
    element.addEventListener(name, () => seen.push(name))
  return seen
}

describe('tokens', () => {
  it('requests one at open(), sends that same one over the port, and never sends it again', async () => {
    const handles = [newHandle(), newHandle()]
    const heard = recordMessages(handles[0]!)
    const reasons: string[] = []
    const element = await addElement('', { token: null })
    element.getToken = async reason => {
      reasons.push(reason)
      return tokenOf(handles[reasons.length - 1]!)
    }
    element.open()
    expect(reasons).to.deep.equal(['initial'])
    await heard.next('init')
    commandFrame(frameOf(element), { say: [{ type: 'auth.request', reason: 'initial' }] })
    expect((await heard.next('port')).port).to.deep.equal({ type: 'auth.token', token: tokenOf(handles[0]!) })
    expect(reasons).to.deep.equal(['initial'])
    commandFrame(frameOf(element), { say: [{ type: 'auth.request', reason: 'expired' }] })
    expect((await heard.next('port', 2)).port).to.deep.equal({ type: 'auth.token', token: tokenOf(handles[1]!) })
    expect(reasons).to.deep.equal(['initial', 'expired'])
  })

  it('reports TOKEN_REQUIRED without one, and continues when the page sets one', async () => {
    const handle = newHandle()
    const heard = recordMessages(handle)
    const element = await addElement(handle, { token: null })
    const error = nextEvent(element, 'element-error')
    element.open()
    expect(await error).to.include({ sub_type: 'TOKEN_REQUIRED', recoverable: true })
    expect(element.shadowRoot?.querySelectorAll('iframe').length).to.equal(0)
    element.token = tokenOf(handle)
    await heard.next('init')
  })

  it('notifies the frame that a token is missing, and sends it the next one that the page sets', async () => {
    const { element, frame, heard } = await openReady()
    const error = nextEvent(element, 'element-error')
    commandFrame(frame, { say: [{ type: 'auth.request', reason: 'initial' }] })
    await heard.next('port')
    commandFrame(frame, { say: [{ type: 'auth.request', reason: 'expired' }] })
    expect((await heard.next('port', 2)).port).to.deep.equal({ type: 'auth.token', token: null })
    expect(await error).to.include({ sub_type: 'TOKEN_REQUIRED', recoverable: true })
    const fresh = tokenOf(newHandle())
    element.token = fresh
    expect((await heard.next('port', 3)).port).to.deep.equal({ type: 'auth.token', token: fresh })
    expect(heard.count('loaded')).to.equal(1)
  })

  it('reports TOKEN_CALLBACK_FAILED if the callback fails, offers a retry immediately, and continues once the page sets a token', async () => {
    const handle = newHandle()
    const heard = recordMessages(handle)
    const cause = new Error('secret detail')
    const getToken = () => Promise.reject(cause)
    const logged: unknown[] = []
    const { error: log } = console
    console.error = (...all: unknown[]) => logged.push(...all)
    const element = await addElement('', { token: null, getToken })
    const error = nextEvent(element, 'element-error')
    element.open()
    const told = await error
    console.error = log
    expect(told).to.include({ sub_type: 'TOKEN_CALLBACK_FAILED', recoverable: true })
    expect(told.message).not.to.contain('secret')
    expect((logged[0] as Error).cause).to.equal(cause)
    await element.updateComplete
    const retry = element.shadowRoot!.querySelector<HTMLButtonElement>('[part=retry]')!
    expect(element.shadowRoot!.textContent).not.to.contain('secret')
    element.token = tokenOf(handle)
    await heard.next('init')
    expect(retry.isConnected).to.equal(false)
  })

  describe('from a callback that never settles', () => {
    const { setTimeout: wait } = window
    const { error: log } = console
    before(() => {
      console.error = () => undefined
      window.setTimeout = ((work: TimerHandler, ms?: number) =>
        wait(work, ms === GET_TOKEN_TIMEOUT_MS ? 20 : ms)) as typeof wait
    })
    after(() => {
      console.error = log
      window.setTimeout = wait
    })
    const never = () => new Promise<string>(() => undefined)

    it('time out, and are requested again on retry', async () => {
      const handle = newHandle()
      const heard = recordMessages(handle)
      const reasons: string[] = []
      const element = await addElement('', { token: null })
      element.getToken = reason => (reasons.push(reason) > 1 ? tokenOf(handle) : never())
      const error = nextEvent(element, 'element-error')
      element.open()
      expect(await error).to.include({ sub_type: 'TOKEN_CALLBACK_FAILED', recoverable: true })
      await element.updateComplete
      element.shadowRoot!.querySelector<HTMLButtonElement>('[part=retry]')!.click()
      await heard.next('init')
      expect(reasons).to.deep.equal(['initial', 'initial'])
    })

    it('time out in an open flow too, and the frame is notified', async () => {
      const { element, frame, heard } = await openReady()
      commandFrame(frame, { say: [{ type: 'auth.request', reason: 'initial' }] })
      await heard.next('port')
      element.getToken = never
      const error = nextEvent(element, 'element-error')
      commandFrame(frame, { say: [{ type: 'auth.request', reason: 'expired' }] })
      expect(await error).to.include({ sub_type: 'TOKEN_CALLBACK_FAILED', recoverable: true })
      expect((await heard.next('port', 2)).port).to.deep.equal({ type: 'auth.token', token: null })
    })
  })
})

describe('coming and going', () => {
  it('dispatches nothing when it is removed, and removes its frame', async () => {
    const { element, outcome } = await openReady()
    const seen = countEvents(element)
    element.remove()
    expect((await outcome).reason).to.equal('user')
    await element.updateComplete
    expect(seen).to.deep.equal([])
    expect(element.shadowRoot?.querySelectorAll('iframe').length).to.equal(0)
    expect(element.opened).to.equal(false)
  })

  it('dispatches nothing when it is removed while a token is being fetched', async () => {
    let give: (token: string) => void = () => undefined
    const getToken = () => new Promise<string>(resolve => (give = resolve))
    const element = await addElement('', { token: null, getToken })
    const outcome = element.open()
    const seen = countEvents(element)
    element.remove()
    await outcome
    give(tokenOf(newHandle()))
    await aTimeout(0)
    expect(seen).to.deep.equal([])
    expect(element.shadowRoot?.querySelectorAll('iframe').length).to.equal(0)
  })

  it('dispatches nothing when it is removed while the frame waits for a token that never arrives', async () => {
    const { element, frame, heard } = await openReady()
    commandFrame(frame, { say: [{ type: 'auth.request', reason: 'initial' }] })
    await heard.next('port')
    let refuse: (reason: Error) => void = () => undefined
    const asked = new Promise<void>(resolve => {
      element.getToken = () => {
        resolve()
        return new Promise((_, reject) => (refuse = reject))
      }
    })
    commandFrame(frame, { say: [{ type: 'auth.request', reason: 'expired' }] })
    await asked
    const seen = countEvents(element)
    element.remove()
    refuse(new Error('offline'))
    await aTimeout(0)
    expect(seen).to.deep.equal([])
  })

  it('creates one frame and uses no token when it is connected, disconnected and connected again in one task', async () => {
    const handle = newHandle()
    const heard = recordMessages(handle)
    let asked = 0
    const element = document.createElement('connect-element')
    element.frameOrigin = FRAME
    element.opened = true
    element.getToken = () => {
      asked += 1
      return tokenOf(handle)
    }
    document.body.append(element)
    element.remove()
    document.body.append(element)
    await heard.next('init')
    await frameSettled(frameOf(element), heard)
    expect(asked).to.equal(1)
    expect(heard.count('loaded')).to.equal(1)
    expect(heard.count('init')).to.equal(1)
    element.remove()
  })

  it('continues when it is moved while open', async () => {
    const { element, frame, heard } = await openReady()
    const seen = countEvents(element)
    const home = document.createElement('div')
    element.parentElement!.append(home)
    home.append(element)
    await heard.next('init', 2)
    expect(frameOf(element) === frame).to.equal(true)
    expect(element.shadowRoot?.querySelector('dialog')?.matches(':modal')).to.equal(true)
    expect(seen).to.deep.equal([])
  })

  it('runs beside another', async () => {
    const one = await openReady({ display: 'inline' })
    const two = await openReady({ display: 'inline' }, 'opal-balance-transfer-element')
    commandFrame(two.frame, { say: [{ type: 'exit.request', reason: 'user' }] })
    expect((await two.outcome).reason).to.equal('user')
    await messagesDelivered(one.element)
    expect(one.element.opened).to.equal(true)
    expect(one.heard.got.find(got => got.init)?.init?.mode).to.equal('connect')
  })
})

describe('before the frame answers', () => {
  it('loads the frame before the dialog is drawn if the page has set a token', async () => {
    const { showModal } = HTMLDialogElement.prototype
    let frames = 0
    HTMLDialogElement.prototype.showModal = function () {
      frames = this.querySelectorAll('iframe').length
      showModal.call(this)
    }
    const element = await addElement(newHandle('mute'))
    void element.open()
    HTMLDialogElement.prototype.showModal = showModal
    expect(frames).to.equal(1)
    element.close()
  })

  it('shows no placeholders for the first 150 ms', async () => {
    const element = await addElement(newHandle('mute'))
    void element.open()
    const loading = element.shadowRoot!.querySelector('[part=loading]')!
    const [wait] = loading.getAnimations()
    expect(wait!.effect!.getComputedTiming().endTime).to.equal(150)
    expect(getComputedStyle(loading).visibility).to.equal('hidden')
    await wait!.finished
    expect(getComputedStyle(loading).visibility).to.equal('visible')
    element.close()
  })
})

describe('a failure', () => {
  const { error: log } = console
  before(() => {
    console.error = () => undefined
  })
  after(() => {
    console.error = log
    Reflect.deleteProperty(navigator, 'onLine')
  })
  const failedOf = (element: HTMLElement) => element.shadowRoot!.querySelector<HTMLElement>('[part=error]')!

  it('is worded by the connection on a device that says it is offline, after the attempt', async () => {
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: false })
    const handle = newHandle()
    const heard = recordMessages(handle)
    let isDown = true
    const getToken = () => (isDown ? Promise.reject(new Error('down')) : tokenOf(handle))
    const element = await addElement('', { token: null, getToken })
    const error = nextEvent(element, 'element-error')
    void element.open()
    expect((await error).sub_type).to.equal('TOKEN_CALLBACK_FAILED')
    await element.updateComplete
    expect(failedOf(element).textContent).to.contain('Check your connection')
    // The network works, whatever the browser says.
    isDown = false
    failedOf(element).querySelector('button')!.click()
    await heard.next('init')
    Reflect.deleteProperty(navigator, 'onLine')
    element.close()
  })

  it('caused by the page does not blame the connection, and its mark and its button use the accent of the theme', async () => {
    const getToken = () => Promise.reject(new Error('down'))
    const theme = { accent: '#ffe066' }
    const element = await addElement('', { token: null, getToken, theme, appearance: 'light' })
    const error = nextEvent(element, 'element-error')
    void element.open()
    await error
    await element.updateComplete
    expect(failedOf(element).textContent).to.contain('Something went wrong').and.not.to.contain('connection')
    const { backgroundColor, color } = getComputedStyle(failedOf(element).querySelector('button')!)
    expect([backgroundColor, color]).to.deep.equal(['rgb(255, 224, 102)', 'rgb(0, 0, 0)'])
    const mark = getComputedStyle(failedOf(element).querySelector('h2')!, '::before')
    expect(mark.borderTopColor).to.equal('rgb(255, 224, 102)')
    element.close()
  })
})

describe('a frame that does not respond', () => {
  it('shows the reason, and retries with the unused token', async () => {
    const handle = newHandle('mute')
    const heard = recordMessages(handle)
    const element = await addElement(handle, { timeout: 100 })
    const outcome = element.open()
    expect(await nextEvent(element, 'element-error')).to.include({ sub_type: 'FRAME_UNREACHABLE', recoverable: true })
    await element.updateComplete
    await expect(element).shadowDom.to.be.accessible()
    const silent = frameOf(element)
    element.shadowRoot?.querySelector<HTMLButtonElement>('[part=retry]')?.click()
    await heard.next('loaded', 2)
    expect(frameOf(element) === silent).to.equal(false)
    await frameSettled(frameOf(element), heard)
    commandFrame(frameOf(element), { hello: {} })
    await heard.next('init')
    commandFrame(frameOf(element), { say: [{ type: 'auth.request', reason: 'initial' }] })
    expect((await heard.next('port')).port).to.deep.equal({ type: 'auth.token', token: tokenOf(handle) })
    // On a slow machine, the second wait may also time out. The element recovers when it receives the next message.
    const ready = nextEvent(element, 'element-ready')
    commandFrame(frameOf(element), { say: [{ type: 'ready' }] })
    await ready
    element.close()
    expect((await outcome).reason).to.equal('user')
  })

  it('recovers automatically if the frame responds late', async () => {
    const handle = newHandle('mute')
    const heard = recordMessages(handle)
    const element = await addElement(handle, { timeout: 100 })
    element.open()
    await nextEvent(element, 'element-error')
    await heard.next('loaded')
    const ready = nextEvent(element, 'element-ready')
    commandFrame(frameOf(element), { hello: {} })
    await heard.next('init')
    commandFrame(frameOf(element), { say: [{ type: 'ready' }] })
    await ready
    await element.updateComplete
    expect(element.shadowRoot?.querySelectorAll('[part=error]').length).to.equal(0)
  })

  it('stops waiting if the frame sends nothing after it receives its token', async () => {
    const handle = newHandle()
    const heard = recordMessages(handle)
    const element = await addElement(handle, { timeout: 200 })
    const error = nextEvent(element, 'element-error')
    element.open()
    await heard.next('init')
    commandFrame(frameOf(element), { say: [{ type: 'auth.request', reason: 'initial' }] })
    await heard.next('port')
    expect((await error).sub_type).to.equal('FRAME_UNREACHABLE')
  })

  it("ends in error if the person gives up, and shows the page's own loading and error content", async () => {
    const element = await addElement(newHandle('mute'), { timeout: 100 })
    element.innerHTML = '<p slot="loading">Un momento</p><p slot="error">Call us</p>'
    const outcome = element.open()
    await element.updateComplete
    expect(element.querySelector<HTMLElement>('[slot=loading]')?.checkVisibility()).to.equal(true)
    await nextEvent(element, 'element-error')
    await element.updateComplete
    expect(element.querySelector<HTMLElement>('[slot=loading]')?.checkVisibility()).to.equal(false)
    expect(element.querySelector<HTMLElement>('[slot=error]')?.checkVisibility()).to.equal(true)
    const silent = frameOf(element)
    element.open()
    await nextEvent(element, 'element-error')
    expect(frameOf(element) === silent).to.equal(false)
    element.shadowRoot?.querySelector<HTMLButtonElement>('[part=close]')?.click()
    expect((await outcome).reason).to.equal('error')
  })
})

describe('chrome', () => {
  it('is accessible while loading, in light and dark', async () => {
    for (const appearance of ['light', 'dark'] as const) {
      const element = await addElement(newHandle('mute'), { appearance })
      element.open()
      await element.updateComplete
      await expect(element).shadowDom.to.be.accessible()
      element.remove()
    }
  })

  it('finds its language across slots and shadow hosts', async () => {
    const host = document.createElement('div')
    host.attachShadow({ mode: 'open' }).innerHTML = '<p lang="es_MX"><slot></slot></p>'
    document.body.append(host)
    const handle = newHandle()
    const element = await addElement(handle)
    host.append(element)
    const heard = recordMessages(handle)
    void element.open()
    expect((await heard.next('init')).init.locale).to.equal('es_MX')
    expect(element.shadowRoot!.querySelector('dialog')!.lang).to.equal('es')
    element.close()
    host.remove()
  })

  it('follows its language around slots and shadow hosts while it is open', async () => {
    const host = document.createElement('div')
    host.attachShadow({ mode: 'open' }).innerHTML = '<p><slot></slot></p>'
    const outer = document.createElement('div')
    outer.append(host)
    document.body.append(outer)
    const handle = newHandle()
    const element = await addElement(handle)
    host.append(element)
    const heard = recordMessages(handle)
    void element.open()
    await heard.next('init')
    await frameSettled(frameOf(element), heard)
    const places = [outer, host, host.shadowRoot!.querySelector('p')!, element]
    for (const [index, node] of places.entries()) {
      const lang = ['es-MX', 'ar', 'en_GB', 'es'][index]!
      node.lang = lang
      expect((await heard.next('port', index + 1)).port).to.deep.equal({ type: 'set', locale: lang })
      expect(element.shadowRoot!.querySelector('dialog')!.lang).to.equal(lang.slice(0, 2))
    }
    // The nearest language counts, and a locale on the element comes first.
    outer.lang = 'ar'
    expect((await heard.next('port', 5)).port).to.deep.equal({ type: 'set', locale: 'es' })
    element.locale = 'ar'
    expect((await heard.next('port', 6)).port).to.deep.equal({ type: 'set', locale: 'ar' })
    element.close()
    outer.remove()
  })

  it('stays closed if it is a copy of an open element, and opens if the page says so', async () => {
    const element = await addElement(newHandle())
    void element.open()
    const copy = element.cloneNode(true) as typeof element
    element.after(copy)
    await copy.updateComplete
    expect([element.opened, copy.opened, copy.hasAttribute('opened')]).to.deep.equal([true, false, false])
    element.close()
    await element.updateComplete
    expect(element.hasAttribute('opened')).to.equal(false)
    copy.token = tokenOf(newHandle())
    copy.setAttribute('opened', '')
    await copy.updateComplete
    expect(copy.opened).to.equal(true)
    copy.close()
    copy.remove()
  })

  it('declares the language of its own text, regardless of the page language', async () => {
    const element = await addElement(newHandle('mute'), { locale: 'es-MX' })
    element.open()
    await element.updateComplete
    const dialog = element.shadowRoot!.querySelector('dialog')!
    expect([dialog.lang, dialog.ariaLabel]).to.deep.equal(['es', 'Conecta tus cuentas'])
    element.remove()
  })

  it('is a sheet on a small screen', async () => {
    await setViewport({ width: 1024, height: 800 })
    // When the viewport changes, WebKit keeps the old width for styles that no element in the page uses.
    const { element } = await openReady()
    await animationsEnd(element)
    const dialog = element.shadowRoot!.querySelector('dialog')!
    expect(dialog.getBoundingClientRect().width).to.equal(420)
    await setViewport({ width: 320, height: 640 })
    const { left, right, bottom, top } = dialog.getBoundingClientRect()
    // In some browsers, a window cannot be as narrow as 320 pixels.
    expect([left, right, bottom]).to.deep.equal([0, innerWidth, innerHeight])
    expect(top).to.be.greaterThan(0)
    await setViewport({ width: 1024, height: 800 })
  })

  it('takes the theme', async () => {
    const { element } = await openReady({ theme: { surface: '#102030', radius: 3 } })
    const style = getComputedStyle(element.shadowRoot!.querySelector('dialog')!)
    expect(style.backgroundColor).to.equal('rgb(16, 32, 48)')
    expect(style.borderTopLeftRadius).to.equal('3px')
  })

  it('stays readable with any theme, including its error message', async () => {
    for (const appearance of ['light', 'dark'] as const) {
      const theme = { surface: '#777777', text: '#808080', surface_dark: '#202020', text_dark: '#333333' }
      const element = await addElement(newHandle('mute'), { appearance, theme, timeout: 50 })
      element.open()
      await nextEvent(element, 'element-error')
      await element.updateComplete
      // The element's colors keep changing until the transition ends.
      await animationsEnd(element)
      await expect(element).shadowDom.to.be.accessible()
      element.remove()
    }
  })
})
