/** Puts the console on a page, with a fake service, for the play page and for tests. */
import { createApi } from '../src/api.js'
import { ConsoleApp } from '../src/app.js'
import type { Bar } from '../src/router.js'
import type { Session } from '../src/shapes.js'
import { type Call, createFake, given, type Replies } from './fake.js'
import { REAL_NOW, session } from './fixtures/people.js'

export interface Scene {
  /** The address. */
  at: string
  replies: Replies
  session?: Partial<Session>
  /** Reads everything a second time. */
  again?: boolean
  /** Something never answers: waits until that shows. */
  slow?: boolean
  /** Pressed one after another. */
  press?: readonly string[]
}

/** An address bar in memory, so that a link leads nowhere. */
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

/** Waits until the page is there, however long its module takes to load, and nothing is being read that will answer. */
export async function settled(app: ConsoleApp): Promise<void> {
  for (let quiet = 0; quiet < 4; ) {
    await new Promise(resolve => setTimeout(resolve, 5))
    await app.updateComplete
    const page = app.querySelector<HTMLElement>('main > .body')
    quiet = page || app.querySelector('form, .fault, main > :is(h1, .card)') ? quiet + 1 : 0
  }
}
