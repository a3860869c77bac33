import type { FlowElement } from '@causeway/elements'
import {
  commandFrame,
  FRAME,
  frameOf,
  messagesDelivered,
  newHandle,
  recordMessages,
  tokenOf,
  waitFor,
} from '@causeway/elements/testing/double'
import {
  addHome,
  loadScenes,
  recordCallbacks,
  twoSeconds,
  unmountedAfterEach,
} from '@causeway/elements/testing/opal-calls'
import { expect } from '@open-wc/testing'
import type { Drawn, Page, start } from './testing/scenes.js'

interface Scenes {
  version: string
  start: typeof start
}

/** An origin where no server listens. */
const CLOSED = 'http://127.0.0.1:9'
const drawn = unmountedAfterEach<Drawn>()

const elements = () => [...document.querySelectorAll<FlowElement>('opal-element')]
const timestamp = '2026-03-02T15:00:00.000Z'

for (const version of [18, 19])
  describe(`useOpal in React ${version}`, () => {
    let scenes: Scenes

    before(async function () {
      this.timeout(60_000)
      scenes = await loadScenes(version, 'opal')
    })

    /** Renders a page, and records the calls of its callbacks in order. */
    function draw({ provider = { frameOrigin: FRAME }, config = {} }: Partial<Page> = {}) {
      const { callbacks, ...recorded } = recordCallbacks()
      const { home, state } = addHome()
      const page = scenes.start(home, { provider, config: { ...callbacks, ...config } })
      drawn.add(page)
      return { ...recorded, page, state }
    }

    /** Opens a flow whose frame redeems its token without input. */
    async function open(given: Partial<Page> = {}) {
      const handle = newHandle('eager')
      const heard = recordMessages(handle)
      const all = draw(given)
      all.page.opal().open({ token: tokenOf(handle), appearance: 'dark' })
      const { init } = await heard.next('init')
      await heard.next('port')
      const element = elements().at(-1)!
      const say = (type: string, data: Record<string, unknown> | null = null) =>
        commandFrame(frameOf(element), { say: [{ type: 'event', event: { type, timestamp, data } }] })
      return { ...all, heard, init, element, say }
    }

    it('reports each event with its parts, and the copies of flows and steps', async () => {
      const { page, calls, events, say, init } = await open()
      expect(init).to.include({ display: 'modal', appearance: 'dark' })
      expect(page.opal()).to.include({ isOpen: true, error: null })
      expect(calls[0]).to.deep.equal(['onOpen'])
      say('opal.session.started')
      say('connect.flow.started')
      say('connect.accounts.selected', { entity_id: 'ent_1', accounts: ['acc_1'] })
      await waitFor(() => events().length === 4)
      const parts = { timestamp, data: null }
      expect(events()).to.deep.equal([
        { ...parts, type: 'opal.session.started', mode: 'opal', object: 'session', action: 'started' },
        { ...parts, type: 'connect.flow.started', mode: 'connect', object: 'flow', action: 'started' },
        { ...parts, type: 'opal.flow.started', mode: 'connect', object: 'flow', action: 'started' },
        {
          timestamp,
          type: 'connect.accounts.selected',
          mode: 'connect',
          object: 'accounts',
          action: 'selected',
          data: { entity_id: 'ent_1', accounts: ['acc_1'] },
        },
      ])
    })

    it('reports the exit last, and can open again', async () => {
      const { page, calls, element, state } = await open()
      const done = { session_id: 'osess_1', entity_id: 'ent_1', accounts: ['acc_1'], result: null }
      commandFrame(frameOf(element), { say: [{ type: 'success', ...done }] })
      await messagesDelivered(element)
      commandFrame(frameOf(element), { say: [{ type: 'exit.request', reason: 'user' }] })
      await waitFor(() => calls.at(-1)?.[0] === 'onExit')
      expect(calls.at(-1)).to.deep.equal(['onExit', { reason: 'completed' }])
      const [, exited] = calls.at(-2)!
      expect(exited).to.include({ type: 'opal.session.exited', mode: 'opal', object: 'session', action: 'exited' })
      await waitFor(() => state() === 'closed')
      const handle = newHandle('eager')
      const heard = recordMessages(handle)
      page.opal().open({ token: tokenOf(handle) })
      await heard.next('port')
      expect(state()).to.equal('open')
      await waitFor(() => elements().length === 1)
    })

    it('closes the flow when the page calls close() or removes the provider', async () => {
      const first = await open()
      first.page.opal().close()
      expect(first.calls.at(-1)).to.deep.equal(['onExit', { reason: 'user' }])
      await waitFor(() => elements().length === 0)
      const second = await open()
      drawn.delete(second.page)
      second.page.unmount()
      expect(elements()).to.deep.equal([])
      expect(second.calls.some(([name]) => name === 'onExit')).to.equal(false)
    })

    it('calls the callbacks of the latest render', async () => {
      const { page, say } = await open({ config: { onEvent: () => expect.fail() } })
      const types: string[] = []
      page.draw({ provider: { frameOrigin: FRAME }, config: { onEvent: ({ type }) => types.push(type) } })
      say('opal.session.started')
      await waitFor(() => types.length > 0)
      expect(types).to.deep.equal(['opal.session.started'])
    })

    it('opens inside the container, with its styles', async () => {
      const box = document.createElement('section')
      box.id = 'container'
      document.body.append(box)
      const { element, init } = await open({
        config: { parentElement: '#container', portalStyles: { maxWidth: 320, opacity: 0.9 } },
      })
      expect(init.display).to.equal('inline')
      expect(element.parentElement).to.equal(box)
      expect(element.style.maxWidth).to.equal('320px')
      expect(element.style.opacity).to.equal('0.9')
      box.remove()
    })

    it('reports an error of the session in the state, as an event and with onError', async () => {
      const { page, say, calls } = await open()
      say('opal.session.errored', { type: 'INVALID_REQUEST', sub_type: 'CREDIT_FREEZE', message: 'Frozen.' })
      await waitFor(() => calls.at(-1)?.[0] === 'onError')
      expect(calls.filter(([name]) => name === 'onError').length).to.equal(1)
      expect(calls.at(-2)![1]).to.include({ type: 'opal.session.errored', object: 'session', action: 'errored' })
      expect(page.opal().error).to.include({ sub_type: 'CREDIT_FREEZE', recoverable: false })
      expect(page.opal().isOpen).to.equal(true)
    })

    for (const [title, given, token, sub_type] of [
      ['there is no token', {}, '', 'TOKEN_REQUIRED'],
      ['the token is a secret key', {}, 'sk_live_0000000000000000', 'TOKEN_REQUIRED'],
      ['the environment is unknown', { config: { env: 'staging' as never } }, undefined, 'ENVIRONMENT_UNKNOWN'],
      [
        'the environment has no origin',
        { provider: { frameOrigin: { dev: FRAME } }, config: { env: 'sandbox' } },
        undefined,
        'ENVIRONMENT_UNKNOWN',
      ],
      ['there is no provider', { provider: null }, undefined, 'PROVIDER_REQUIRED'],
      ['there is no origin', { provider: {} }, undefined, 'FRAME_ORIGIN_REQUIRED'],
      [
        "the origin is the page's own",
        { provider: { frameOrigin: location.origin } },
        undefined,
        'FRAME_ORIGIN_REFUSED',
      ],
    ] as [string, Partial<Page>, string | undefined, string][])
      it(`reports immediately that ${title}, and shows nothing`, () => {
        const { page, calls, errors, events } = draw(given)
        page.opal().open({ token: token ?? tokenOf(newHandle()) })
        expect(errors()).to.deep.equal([sub_type])
        expect(events().map(({ type, data }) => [type, data?.['sub_type']])).to.deep.equal([
          ['opal.session.errored', sub_type],
        ])
        expect(calls.length).to.equal(2)
        expect(elements()).to.deep.equal([])
        expect(JSON.stringify(calls)).not.to.contain('sk_live')
      })

    it('reads the origin from the page and from the options', async () => {
      const meta = document.createElement('meta')
      Object.assign(meta, { name: 'causeway-frame-origin', content: FRAME })
      document.head.append(meta)
      const first = await open({ provider: {} })
      expect(first.element.frameOrigin).to.equal(FRAME)
      meta.content = CLOSED
      first.page.unmount()
      drawn.delete(first.page)
      const second = await open({ provider: {}, config: { env: 'dev', frameOrigin: { dev: FRAME } } })
      expect(second.element.frameOrigin).to.equal(FRAME)
      meta.remove()
    })

    for (const [title, origin, prefix] of [
      ['the frame is not the flow', FRAME, 'mute'],
      ['no server listens', CLOSED, 'eager'],
    ] as const)
      it(`reports within two seconds that ${title}`, async () => {
        const { page, errors, calls } = draw({ provider: { frameOrigin: origin } })
        page.opal().open({ token: tokenOf(newHandle(prefix)) })
        await twoSeconds()
        expect(errors()[0]).to.match(/^FRAME_(?:REFUSED|UNREACHABLE)$/)
        page.opal().close()
        expect(calls.at(-1)![0]).to.equal('onExit')
      })

    it('clears the error when a slow frame starts', async () => {
      const handle = newHandle('mute')
      const heard = recordMessages(handle)
      const { page, errors } = draw()
      page.opal().open({ token: tokenOf(handle) })
      const frame = frameOf(elements().at(-1)!)
      await heard.next('loaded')
      commandFrame(frame, { hello: {} })
      await heard.next('init')
      commandFrame(frame, {
        say: [
          { type: 'error', error_type: 'API_ERROR', sub_type: 'INTERNAL', message: 'Busy.', recoverable: true },
          { type: 'ready' },
        ],
      })
      await waitFor(() => errors().length > 0)
      await waitFor(() => page.opal().error === null)
      expect(page.opal().isOpen).to.equal(true)
    })
  })
