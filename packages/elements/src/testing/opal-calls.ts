/** Callbacks and pages that the tests of Opal's interface share. */
import { expect } from '@open-wc/testing'
import type { OpalError, OpalEvent } from '../opal-events.js'
import type { OpalCallbacks, OpalExit } from '../opal-store.js'

/** Callbacks that record their calls in order. */
export function recordCallbacks() {
  const calls: [name: string, argument?: OpalEvent | OpalError | OpalExit][] = []
  const callbacks: OpalCallbacks = {
    onOpen: () => calls.push(['onOpen']),
    onEvent: event => calls.push(['onEvent', event]),
    onError: error => calls.push(['onError', error]),
    onExit: exit => calls.push(['onExit', exit]),
  }
  return {
    calls,
    callbacks,
    /** Returns the `sub_type` of each error. */
    errors: () => calls.flatMap(([name, error]) => (name === 'onError' ? [(error as OpalError).sub_type] : [])),
    events: () => calls.flatMap(([name, event]) => (name === 'onEvent' ? [event as OpalEvent] : [])),
  }
}

/** Returns a set of rendered pages that are unmounted after each test. */
export function unmountedAfterEach<T extends { unmount: () => void }>(): Set<T> {
  const drawn = new Set<T>()
  afterEach(() => {
    for (const each of drawn) each.unmount()
    drawn.clear()
  })
  return drawn
}

/** Loads a bundle of `frameworks/react`, and checks that it contains this version of React. */
export async function loadScenes<T extends { version: string }>(version: number, name: string): Promise<T> {
  const scenes: T = await import(`/react-scenes/${version}/${name}.js`)
  expect(scenes.version.split('.')[0]).to.equal(String(version))
  return scenes
}

/**
 * Resolves after two seconds by the page's timers. On a busy machine, all timers are late, so that a report within two
 * seconds still comes first.
 */
export const twoSeconds = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 2_000))

/** Adds an empty element to the page. */
export function addHome() {
  const home = document.createElement('div')
  document.body.append(home)
  return { home, state: () => home.querySelector('#state')!.textContent }
}
