import {
  commandFrame,
  FRAME,
  frameOf,
  newHandle,
  recordMessages,
  tokenOf,
  waitFor,
} from '@causeway/elements/testing/double'
import { addHome, loadScenes, unmountedAfterEach } from '@causeway/elements/testing/opal-calls'
import { expect } from '@open-wc/testing'
import type { MethodOptions } from './index.js'
import type { DrawnMethod, startMethod } from './testing/scenes.js'

const drawn = unmountedAfterEach<DrawnMethod>()
const elements = () => [...document.querySelectorAll('connect-element')]

for (const version of [18, 19])
  describe(`useMethod in React ${version}`, () => {
    let scenes: { version: string; startMethod: typeof startMethod }

    before(async function () {
      this.timeout(60_000)
      scenes = await loadScenes(version, 'opal')
    })
    afterEach(() => waitFor(() => elements().length === 0))

    /** Opens a flow whose frame redeems its token without input. */
    async function open(options: MethodOptions) {
      const page = scenes.startMethod(addHome().home, { frameOrigin: FRAME, ...options })
      drawn.add(page)
      const handle = newHandle('eager')
      const heard = recordMessages(handle)
      page.method().open(tokenOf(handle))
      await heard.next('port')
      return { page, element: elements().at(-1)! }
    }

    it('opens the flow, and calls the callbacks of the latest render', async () => {
      const calls: string[] = []
      const { page, element } = await open({
        onOpen: ({ op }) => calls.push(`first ${op}`),
        onSuccess: () => expect.fail(),
        onExit: () => expect.fail(),
      })
      const method = page.method()
      page.draw({
        onSuccess: ({ accounts }) => calls.push(`success ${accounts}`),
        onExit: ({ op }) => calls.push(`second ${op}`),
      })
      expect(page.method()).to.equal(method)
      const done = { session_id: 'osess_1', entity_id: 'ent_1', accounts: ['acc_1'], result: null }
      commandFrame(frameOf(element), { say: [{ type: 'success', ...done }] })
      await waitFor(() => calls.length === 2)
      method.close()
      expect(calls).to.deep.equal(['first open', 'success acc_1', 'second exit'])
    })

    it('calls no callback that the latest render left out', async () => {
      const { page } = await open({ onExit: () => expect.fail() })
      page.draw({})
      page.method().close()
      expect(elements().length).to.equal(1)
    })

    it('keeps the flow open when the component is removed', async () => {
      const calls: string[] = []
      const { page, element } = await open({ onExit: ({ op }) => calls.push(op) })
      drawn.delete(page)
      page.unmount()
      expect(element.isConnected).to.equal(true)
      expect(calls).to.deep.equal([])
      page.method().close()
      expect(calls).to.deep.equal(['exit'])
    })

    it('reads the origin and the environment of the latest render', () => {
      const errors: unknown[] = []
      const page = scenes.startMethod(addHome().home, { frameOrigin: FRAME })
      drawn.add(page)
      page.draw({ frameOrigin: { dev: FRAME }, env: 'sandbox', onError: ({ sub_type }) => errors.push(sub_type) })
      page.method().open(tokenOf(newHandle()))
      expect(errors).to.deep.equal(['ENVIRONMENT_UNKNOWN'])
    })
  })
