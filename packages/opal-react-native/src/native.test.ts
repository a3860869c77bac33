import { tokenOf, waitFor } from '@causeway/elements/testing/double'
import {
  addHome,
  loadScenes,
  recordCallbacks,
  twoSeconds,
  unmountedAfterEach,
} from '@causeway/elements/testing/opal-calls'
import { expect } from '@open-wc/testing'
import type { App, Drawn, openedUrls, Platform, start, webView } from './testing/scenes.js'

interface Scenes {
  version: string
  start: typeof start
  webView: typeof webView
  openedUrls: typeof openedUrls
  Platform: typeof Platform
}

const ORIGIN = 'https://connect.lender.example'
const handle = 'h'.repeat(16)
const token = tokenOf(handle)
const page = `${ORIGIN}/h/${handle}`
const drawn = unmountedAfterEach<Drawn>()

for (const version of [18, 19])
  describe(`useOpal of React Native with React ${version}`, () => {
    let scenes: Scenes

    before(async function () {
      this.timeout(60_000)
      scenes = await loadScenes(version, 'native')
    })

    /** Renders an app, and records the calls of its callbacks in order. */
    function draw({ provider = { frameOrigin: ORIGIN }, config = {} }: Partial<App> = {}) {
      const { callbacks, events, ...recorded } = recordCallbacks()
      const { home, state } = addHome()
      const app = scenes.start(home, { provider, config: { ...callbacks, ...config } })
      drawn.add(app)
      return { ...recorded, app, state, types: () => events().map(({ type }) => type) }
    }

    async function open() {
      const all = draw()
      all.app.opal().open({ token })
      await waitFor(() => scenes.webView.props)
      const post = (message: object, url = page) =>
        scenes.webView.props?.onMessage?.({ nativeEvent: { url, data: JSON.stringify(message) } })
      return { ...all, post, props: scenes.webView.props! }
    }

    it("opens the token's hosted page, and reports its events and its exit", async () => {
      const { app, calls, types, post, props } = await open()
      expect(props.source.uri).to.equal(`${page}#${'s'.repeat(33)}`)
      expect(app.opal().isOpen).to.equal(true)
      const timestamp = '2026-03-02T15:00:00.000Z'
      post({ type: 'element-open' })
      post({ type: 'element-ready' })
      post({ type: 'element-event', name: 'connect.step.completed', timestamp, data: { step: 'consent' } })
      post({ type: 'element-exit', reason: 'completed' })
      await waitFor(() => scenes.webView.props === null)
      const parts = { mode: 'connect', object: 'step', action: 'completed', timestamp, data: { step: 'consent' } }
      expect(calls.slice(0, 3)).to.deep.equal([
        ['onOpen'],
        ['onEvent', { type: 'connect.step.completed', ...parts }],
        ['onEvent', { type: 'opal.step.completed', ...parts }],
      ])
      expect(types().at(-1)).to.equal('opal.session.exited')
      expect(calls.at(-1)).to.deep.equal(['onExit', { reason: 'completed' }])
      expect(app.opal().isOpen).to.equal(false)
    })

    it('ignores messages of other pages, and text that is no message', async () => {
      const { post, types, props, calls } = await open()
      const exit = { type: 'element-exit', reason: 'completed' }
      for (const url of ['https://www.lender.example/h/a', `${ORIGIN}@evil.example/`, `${ORIGIN}.evil.example/`, ''])
        post(exit, url)
      for (const data of ['{', '[]', 'null', '{"type":"element-exit","reason":"maybe"}', `"${'a'.repeat(20_000)}"`])
        props.onMessage!({ nativeEvent: { url: page, data } })
      post({ type: 'element-event', name: 5, timestamp: 'x', data: null })
      post({ type: 'element-open' })
      expect(types()).to.deep.equal([])
      expect(calls).to.deep.equal([['onOpen']])
    })

    it('stays on the page, and opens other sites in the browser', async () => {
      const { props, calls, post } = await open()
      post({ type: 'element-open' })
      const navigate = (url: string) => props.onShouldStartLoadWithRequest!({ url })
      scenes.openedUrls.length = 0
      expect(navigate(`${page}#x`)).to.equal(true)
      expect(navigate('https://help.example/contact')).to.equal(false)
      expect(navigate('http://help.example/contact')).to.equal(false)
      expect(navigate('javascript:alert(1)')).to.equal(false)
      expect(scenes.openedUrls).to.deep.equal(['https://help.example/contact'])
      expect(navigate('https://www.lender.example/back?loan=7&status=success&session_id=osess_1')).to.equal(false)
      expect(calls.at(-1)).to.deep.equal(['onExit', { reason: 'completed' }])
      expect(navigate('https://www.lender.example/back')).to.equal(false)
      expect(scenes.openedUrls.length).to.equal(1)
    })

    it('closes when the app calls close() or the person swipes the page away', async () => {
      for (const leave of [
        (app: Drawn) => app.opal().close(),
        () => document.querySelector<HTMLButtonElement>('#back')!.click(),
      ]) {
        const { app, calls, post } = await open()
        post({ type: 'element-open' })
        leave(app)
        expect(calls.at(-1)).to.deep.equal(['onExit', { reason: 'user' }])
        await waitFor(() => scenes.webView.props === null)
      }
    })

    it('goes back in the page first when the person presses the back button of Android', async () => {
      scenes.Platform.OS = 'android'
      const { props, calls, post } = await open()
      post({ type: 'element-open' })
      const back = () => document.querySelector<HTMLButtonElement>('#back')!.click()
      props.onNavigationStateChange!({ canGoBack: true })
      back()
      expect(scenes.webView.calls).to.deep.equal(['goBack'])
      props.onNavigationStateChange!({ canGoBack: false })
      back()
      expect(calls.at(-1)![0]).to.equal('onExit')
      scenes.Platform.OS = 'ios'
    })

    it('loads the page again after the system ends its process', async () => {
      const { props } = await open()
      props.onContentProcessDidTerminate!()
      props.onRenderProcessGone!()
      expect(scenes.webView.calls).to.deep.equal(['reload', 'reload'])
    })

    for (const [title, given, options, sub_type] of [
      ['there is no token', {}, { token: '' }, 'TOKEN_REQUIRED'],
      ['the environment is unknown', { config: { env: 'staging' as never } }, { token }, 'ENVIRONMENT_UNKNOWN'],
      ['there is no provider', { provider: null }, { token }, 'PROVIDER_REQUIRED'],
      ['there is no origin', { provider: {} }, { token }, 'FRAME_ORIGIN_REQUIRED'],
      [
        'the origin is not https',
        { provider: { frameOrigin: 'http://connect.lender.example' } },
        { token },
        'FRAME_ORIGIN_REQUIRED',
      ],
    ] as const)
      it(`reports immediately that ${title}, and shows nothing`, () => {
        const { app, errors, types, calls } = draw(given)
        app.opal().open(options)
        expect(errors()).to.deep.equal([sub_type])
        expect(types()).to.deep.equal(['opal.session.errored'])
        expect(calls.length).to.equal(2)
        expect(scenes.webView.props).to.equal(null)
      })

    for (const [title, fail, sub_type] of [
      ['the page could not be loaded', (): void => scenes.webView.props!.onError!(), 'PAGE_REFUSED'],
      ['the link was refused', () => scenes.webView.props!.onHttpError!(), 'PAGE_REFUSED'],
      ['the loaded page is not the flow', () => scenes.webView.props!.onLoadEnd!(), 'PAGE_REFUSED'],
      ['the page is slow', () => undefined, 'PAGE_UNREACHABLE'],
    ] as const)
      it(`reports within two seconds that ${title}`, async () => {
        const { errors, calls, state, post } = await open()
        fail()
        await twoSeconds()
        // A busy machine can cause a report that the page is slow before this one.
        expect(errors().filter(each => each === sub_type || each !== 'PAGE_UNREACHABLE')).to.deep.equal([sub_type])
        if (sub_type === 'PAGE_REFUSED') {
          expect(calls.at(-1)).to.deep.equal(['onExit', { reason: 'error' }])
          await waitFor(() => state() === 'PAGE_REFUSED')
        } else {
          post({ type: 'element-ready' })
          await waitFor(() => state() === 'open')
        }
      })
  })
