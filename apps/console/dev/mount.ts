/** Mounts the console with a fake service, for the play page and for tests. */
import { type Api, createApi } from '../src/api.js'
import { ConsoleApp } from '../src/app.js'
import type { AddressBar } from '../src/router.js'
import type { Session } from '../src/shapes.js'
import { confirmPasskey } from '../src/shell/confirm-passkey.js'
import { type Call, createFake, type Replies, reply } from './fake.js'
import { REAL_NOW, session, userNames } from './fixtures/people.js'

export interface Scene {
  /** The page's URL. */
  at: string
  replies: Replies
  session?: Partial<Session>
  /** True to refresh the page once after it has loaded. */
  again?: boolean
  /** True if a call never returns. Such a scene is complete once the page shows a loading state. */
  slow?: boolean
  /** The selectors of the elements to click, in order. */
  press?: readonly string[]
}

/** An in-memory address bar, which prevents links from leaving the page. */
export const addressBarAt = (start: string): AddressBar => {
  let at = start
  return {
    read: () => at,
    write: next => {
      at = next
    },
    onMove: () => undefined,
  }
}

/** The number of pending calls in each mounted console, not counting calls that never return. */
const pending = new WeakMap<ConsoleApp, () => number>()

/** Wraps every call to `api` in `track`. */
const tracked = (api: Api, track: <T>(call: Promise<T>) => Promise<T>): Api => ({
  now: api.now,
  lines: api.lines,
  get: (...args) => track(api.get(...args)),
  list: (...args) => track(api.list(...args)),
  send: (...args) => track(api.send(...args)),
  post: (...args) => track(api.post(...args)),
})

export function mount(scene: Scene, bar: AddressBar): { app: ConsoleApp; calls: Call[] } {
  const fake = createFake({
    'GET /session': reply({ ...session, ...scene.session }),
    'GET /console/views': reply({ data: [] }),
    'GET /console/users/names': reply({ data: userNames }),
    ...scene.replies,
  })
  const app = new ConsoleApp()
  let open = 0
  app.api = tracked(createApi(confirmPasskey, fake.fetch), call => {
    open++
    return call.finally(() => open--)
  })
  pending.set(app, () => open - fake.hanging())
  app.bar = bar
  app.now = () => REAL_NOW
  app.live = false
  return { app, calls: fake.calls }
}

/** Waits until the page's module has loaded and all pending responses have arrived. */
export async function settled(app: ConsoleApp): Promise<void> {
  for (let quiet = 0; quiet < 4; ) {
    await new Promise(resolve => setTimeout(resolve, 5))
    await app.updateComplete
    const drawn = app.querySelector('main > .body, form, .fault, main > :is(h1, .card)')
    quiet = drawn && pending.get(app)?.() === 0 ? quiet + 1 : 0
  }
}
