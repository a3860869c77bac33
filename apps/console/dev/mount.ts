/** Mounts the console with a fake service, for the play page and for tests. */
import { createApi } from '../src/api.js'
import { ConsoleApp } from '../src/app.js'
import type { Bar } from '../src/router.js'
import type { Session } from '../src/shapes.js'
import { type Call, createFake, given, type Replies } from './fake.js'
import { REAL_NOW, session } from './fixtures/people.js'

export interface Scene {
  /** The URL of the page. */
  at: string
  replies: Replies
  session?: Partial<Session>
  /** Refreshes everything once. */
  again?: boolean
  /** True if a call never returns. The scene is then complete once the page shows that it is loading. */
  slow?: boolean
  /** The names of the buttons to press, in order. */
  press?: readonly string[]
}

/** An in-memory address bar, so that links do not leave the page. */
export const barAt = (start: string): Bar => {
  let at = start
  return {
    read: () => at,
    write: next => {
      at = next
    },
    onMove: () => undefined,
  }
}

export function mount(scene: Scene, bar: Bar): { app: ConsoleApp; calls: Call[] } {
  const fake = createFake({ 'GET /session': given({ ...session, ...scene.session }), ...scene.replies })
  const app = new ConsoleApp()
  app.api = createApi(fake.fetch)
  app.bar = bar
  app.now = () => REAL_NOW
  app.live = false
  return { app, calls: fake.calls }
}

/** Waits until the page's module has loaded and all pending replies have arrived. */
export async function settled(app: ConsoleApp): Promise<void> {
  for (let quiet = 0; quiet < 4; ) {
    await new Promise(resolve => setTimeout(resolve, 5))
    await app.updateComplete
    const page = app.querySelector<HTMLElement>('main > .body')
    quiet = page || app.querySelector('form, .fault, main > :is(h1, .card)') ? quiet + 1 : 0
  }
}
