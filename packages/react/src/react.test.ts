import {
  commandFrame,
  FRAME,
  frameOf,
  frameSettled,
  newHandle,
  nextEvent,
  recordMessages,
  tokenOf,
  waitFor,
} from '@causeway/elements/testing/double'
import { aTimeout, expect, fixture, nextFrame } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import type { ConnectElementRef } from './index.js'
import type { Drawn, hydrate, Props, Scene, start } from './testing/scenes.js'

interface Scenes {
  version: string
  start: typeof start
  hydrate: typeof hydrate
}

const drawn = new Set<Drawn>()
afterEach(() => {
  for (const each of drawn) each.unmount()
  drawn.clear()
})

const elementIn = (home: ParentNode): ConnectElementRef => home.querySelector('connect-element')!
const startIn = (home: ParentNode): HTMLButtonElement => home.querySelector('#start')!

/** Starts collecting all React warnings. */
function complaints(): { said: string[]; stop: () => void } {
  const said: string[] = []
  const { error } = console
  console.error = (...all: unknown[]) => said.push(all.map(String).join(' '))
  return { said, stop: () => Object.assign(console, { error }) }
}

for (const version of [18, 19])
  describe(`React ${version}`, () => {
    let scenes: Scenes

    before(async function () {
      this.timeout(60_000)
      scenes = await import(`/react-scenes/${version}/scenes.js`)
      expect(scenes.version.split('.')[0]).to.equal(String(version))
    })

    async function draw(props: Props, scene: Scene = 'alone') {
      const home = await fixture<HTMLElement>('<div></div>')
      const made = scenes.start(home, scene, { frameOrigin: FRAME, ...props })
      drawn.add(made)
      return { home, ...made }
    }

    /** Sets up a flow whose frame redeems its token without input, and records each request for a token. */
    function eager() {
      const handle = newHandle('eager')
      const asked: string[] = []
      const getToken = (reason: string): string => {
        asked.push(reason)
        return tokenOf(handle)
      }
      return { heard: recordMessages(handle), asked, getToken, handle }
    }

    it('opens once under StrictMode: one frame, one token, each event once', async () => {
      const { heard, asked, getToken } = eager()
      const told: string[] = []
      const { said, stop } = complaints()
      const { home } = await draw({
        getToken,
        opened: true,
        onElementOpen: ({ type }) => told.push(type),
        onElementReady: ({ type }) => told.push(type),
      })
      await heard.next('port')
      await waitFor(() => told.includes('element-ready'))
      stop()
      expect(said).to.deep.equal([])
      expect(asked).to.deep.equal(['initial'])
      expect(told).to.deep.equal(['element-open', 'element-ready'])
      expect(heard.count('loaded')).to.equal(1)
      expect(home.innerHTML).not.to.contain('pk_elem_')
    })

    it('opens and closes through the ref, which is the element', async () => {
      const { heard, getToken } = eager()
      const reasons: string[] = []
      const { home } = await draw({ getToken, tag: 'transfer', onElementExit: ({ reason }) => reasons.push(reason) })
      startIn(home).click()
      const { init } = await heard.next('init')
      expect(init.mode).to.equal('balance_transfer')
      const element = home.querySelector('opal-balance-transfer-element')!
      element.close()
      expect(reasons).to.deep.equal(['user'])
    })

    it('sets properties, and restores the default of an omitted one', async () => {
      const { home, draw: again } = await draw({
        locale: 'es',
        timeout: 5,
        theme: { radius: 3 },
        className: 'a',
        id: 'b',
      })
      const element = elementIn(home)
      expect(element).to.include({ locale: 'es', timeout: 5, display: 'modal', id: 'b' })
      expect(element.getAttribute('class')).to.equal('a')
      const { theme } = element
      again({ theme: { radius: 3 }, display: 'inline', frameOrigin: FRAME })
      expect(element).to.include({ locale: null, timeout: 10_000, display: 'inline', theme })
      again({ theme: { radius: 4 } })
      expect(element.theme).to.deep.equal({ radius: 4 })
      expect(element).to.include({ display: 'modal', frameOrigin: null })
    })

    it('calls the handler from the latest render, which can keep the flow open', async () => {
      const { heard, getToken } = eager()
      const { home, draw: again } = await draw({ getToken, frameOrigin: FRAME, onElementExit: () => expect.fail() })
      const element = elementIn(home)
      void element.open()
      await heard.next('port')
      again({ getToken, frameOrigin: FRAME, onElementExit: event => event.preventDefault() })
      commandFrame(frameOf(element), { say: [{ type: 'exit.request', reason: 'user' }] })
      await nextEvent(element, 'element-exit')
      expect(element.opened).to.equal(true)
    })

    it('calls a failing callback once, even though each render passes a new one', async () => {
      const { said, stop } = complaints()
      let asked = 0
      const props = (): Props => ({
        opened: true,
        frameOrigin: FRAME,
        getToken: () => {
          asked += 1
          return Promise.reject(new Error('offline'))
        },
        onElementError: () => again(props()),
      })
      const { home, draw: again } = await draw(props())
      await nextEvent(elementIn(home), 'element-error')
      await elementIn(home).updateComplete
      again(props())
      await elementIn(home).updateComplete
      await aTimeout(0)
      stop()
      expect(asked).to.equal(1)
      expect(said.length).to.equal(1)
    })

    it('fires no event when it is removed with its page', async () => {
      const { heard, getToken } = eager()
      const told: string[] = []
      const { home, unmount } = await draw({ getToken, opened: true, onElementExit: ({ type }) => told.push(type) })
      await heard.next('port')
      const element = elementIn(home)
      unmount()
      await aTimeout(0)
      expect(told).to.deep.equal([])
      expect(element.shadowRoot!.querySelectorAll('iframe').length).to.equal(0)
    })

    it('hydrates server-rendered markup without warnings', async () => {
      const { heard, asked, getToken } = eager()
      const home = await fixture<HTMLElement>(
        '<div><button type="button" id="start">Start</button><connect-element class="a"></connect-element></div>',
      )
      const element = elementIn(home)
      await element.updateComplete
      expect(element.getAttribute('display')).to.equal('modal')
      const { said, stop } = complaints()
      drawn.add(
        scenes.hydrate(home, { className: 'a', getToken, frameOrigin: FRAME, opened: true }, e => said.push(String(e))),
      )
      await heard.next('port')
      stop()
      expect(said).to.deep.equal([])
      expect(elementIn(home)).to.equal(element)
      expect(asked).to.deep.equal(['initial'])
    })

    for (const scene of ['radix', 'mui'] as const)
      describe(`inside a dialog of ${scene}`, () => {
        const { setInterval: repeat } = window
        let looked = 0
        before(() => {
          window.setInterval = ((look: () => void, ms: number) =>
            repeat(() => {
              look()
              looked += 1
            }, ms)) as typeof repeat
        })
        after(() => {
          window.setInterval = repeat
        })

        /** Waits until the dialog has checked the focus `times` more times. */
        async function looks(times: number): Promise<void> {
          const before = looked
          await waitFor(() => looked >= before + times)
        }

        const around = () => document.querySelector<HTMLElement>('#around')

        /** Renders the dialog and uses the keyboard to open a flow inside it. */
        async function drawOpen(getToken: () => string) {
          await draw({ getToken }, scene)
          const element = elementIn(around()!)
          startIn(around()!).focus()
          const opened = nextEvent(element, 'element-open')
          // The event can occur before `sendKeys` resolves.
          const ready = nextEvent(element, 'element-ready')
          await sendKeys({ press: 'Enter' })
          await opened
          return { element, ready }
        }

        it('moves the focus into its frame, keeps it there, and returns it', async () => {
          const { heard, asked, getToken } = eager()
          const { element, ready } = await drawOpen(() => getToken('initial'))
          await ready
          await element.updateComplete
          const frame = frameOf(element)
          expect((await frameSettled(frame, heard)).focused).to.equal(true)
          // MUI's dialog checks the focus at intervals. Radix's dialog checks it whenever the focus moves.
          if (scene === 'mui') await looks(2)
          expect((await frameSettled(frame, heard)).focused).to.equal(true)
          const ended = nextEvent(element, 'element-exit')
          commandFrame(frame, { say: [{ type: 'exit.request', reason: 'user' }] })
          await ended
          await element.updateComplete
          expect(document.activeElement).to.equal(startIn(around()!))
          expect(asked.length).to.equal(1)
          expect(heard.count('loaded')).to.equal(1)
        })

        it('closes on the first Escape, and the dialog closes on the second', async () => {
          const handle = newHandle('mute')
          const { element } = await drawOpen(() => tokenOf(handle))
          expect(element.shadowRoot!.activeElement?.getAttribute('part')).to.equal('close')
          const exit = nextEvent(element, 'element-exit')
          await sendKeys({ press: 'Escape' })
          expect((await exit).reason).to.equal('user')
          await element.updateComplete
          await nextFrame()
          expect(around()?.checkVisibility()).to.equal(true)
          expect(element.isConnected).to.equal(true)
          expect(document.activeElement).to.equal(startIn(around()!))
          await sendKeys({ press: 'Escape' })
          await waitFor(() => !around())
        })
      })
  })
