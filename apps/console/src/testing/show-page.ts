/** Shows one of the play page's scenes in a test and records its calls. */
import { loadSheet } from '@causeway/ui/testing/load-sheet'
import { fixture, html } from '@open-wc/testing'
import type { Call, Replies } from '../../dev/fake.js'
import { addressBarAt, mount, type Scene, settled } from '../../dev/mount.js'
import { scenes } from '../../dev/scenes.js'
import type { ConsoleApp } from '../app.js'

const sheet = new URL('../styles/index.css', import.meta.url).href

export interface ShownPage {
  app: ConsoleApp
  /** Returns the calls so far, or only those with the given method and path. */
  calls: (name?: string) => Call[]
  /** The current URL. */
  at: () => string
  text: () => string
  find: <T extends HTMLElement>(selector: string) => T
  /**
   * True if an element in the console matches the selector. Assert on this value rather than on an element: a failed
   * assertion on an element would print the whole page.
   */
  has: (selector: string) => boolean
  /** Clicks the element with this text or name, on the page or in an open dialog. */
  press: (name: string) => Promise<void>
  settle: () => Promise<void>
}

export async function showPage(page: string, state: string, replies: Replies = {}): Promise<ShownPage> {
  document.documentElement.lang = 'en'
  await loadSheet(sheet)
  const scene = scenes[page]?.[state] as Scene
  const bar = addressBarAt(scene.at)
  const { app, calls } = mount({ ...scene, replies: { ...scene.replies, ...replies } }, bar)
  await fixture(html`${app}`)
  await settled(app)
  const find = <T extends HTMLElement>(selector: string) => {
    const found = document.querySelector<T>(selector)
    if (!found) throw new Error(`nothing matches ${selector}`)
    return found
  }
  const nameOf = (each: Element) =>
    (each.getAttribute('aria-label') ?? each.textContent ?? '').replace(/\s+/g, ' ').trim()
  return {
    app,
    calls: name => calls.filter(({ method, path }) => name === undefined || name === `${method} ${path}`),
    at: () => bar.read(),
    text: () => (app.textContent ?? '').replace(/\s+/g, ' '),
    find,
    has: selector => app.querySelector(selector) !== null,
    settle: () => settled(app),
    async press(name) {
      const scope = document.querySelector('dialog[open]') ?? app
      const found = [...scope.querySelectorAll<HTMLElement>('button, a, summary')].find(each => nameOf(each) === name)
      if (!found) throw new Error(`nothing is called ${name}`)
      found.click()
      await settled(app)
    },
  }
}
