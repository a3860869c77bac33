/** Mounts a screen on the test page with the app's styles, and records its requests. */
import type { SessionView, Step } from '@causeway/contract/session'
import { loadSheet } from '@causeway/ui/testing/load-sheet'
import { fixture, html } from '@open-wc/testing'
import { NOW } from '../../dev/fixtures.js'
import type { AnyInput } from '../frame-client.js'
import type { StepRequest } from '../requests.js'
import { type AnyScreen, createScreen } from '../screens/load.js'
import { applyTheme } from '../theme.js'
import { english } from '../words/language.js'
import { animationsEnd } from './animations-end.js'

const sheet = new URL('../styles/index.css', import.meta.url).href

/** Loads the app's stylesheet once and sets the appearance. */
export async function applyStyles(appearance: 'light' | 'dark' = 'light'): Promise<void> {
  applyTheme(document.documentElement, { appearance, accent: null, theme: {} }, false)
  document.documentElement.lang = 'en-US'
  document.documentElement.dataset['display'] = 'modal'
  await loadSheet(sheet)
}

export interface Mounted {
  screen: AnyScreen
  /** All inputs that the screen has submitted. */
  sent: AnyInput[]
  /** The text on the screen. */
  text: () => string
  find: <T extends HTMLElement>(selector: string) => T
  /** Presses the primary action. */
  act: () => Promise<void>
  /** Enters the whole text into a field with a single input event. */
  type: (selector: string, text: string) => Promise<HTMLInputElement>
  press: (name: string) => Promise<void>
  /** Chooses an option of a select by its text. */
  choose: (selector: string, option: string) => Promise<void>
  show: (view: SessionView) => Promise<void>
}

export async function mount(view: SessionView, appearance: 'light' | 'dark' = 'light'): Promise<Mounted> {
  await applyStyles(appearance)
  const [screen, language] = await createScreen(view.step as Step, english)
  const sent: AnyInput[] = []
  const set = (next: SessionView) => Object.assign(screen, { view: next, language, now: () => NOW })
  set(view)
  screen.addEventListener('step-request', event => sent.push((event as StepRequest).input))
  await fixture(html`<main class="main"><div class="stage">${screen}</div></main>`)
  await screen.updateComplete
  await animationsEnd()
  const find = <T extends HTMLElement>(selector: string) => {
    const found = screen.querySelector<T>(selector)
    if (!found) throw new Error(`nothing matches ${selector}`)
    return found
  }
  return {
    screen,
    sent,
    find,
    text: () => (screen.textContent ?? '').replace(/\s+/g, ' '),
    async act() {
      find<HTMLElement>('.cta').click()
      await screen.updateComplete
      await screen.updateComplete
    },
    async type(selector, text) {
      const input = find<HTMLInputElement>(selector)
      input.focus()
      input.value = text
      input.setSelectionRange(text.length, text.length)
      input.dispatchEvent(new InputEvent('input', { bubbles: true }))
      await screen.updateComplete
      return input
    },
    async press(name) {
      const button = [...screen.querySelectorAll('button')].find(
        each => (each.getAttribute('aria-label') ?? each.textContent?.trim()) === name,
      )
      if (!button) throw new Error(`no button is called ${name}`)
      button.click()
      await screen.updateComplete
    },
    async choose(selector, option) {
      const select = find<HTMLSelectElement>(selector)
      const chosen = [...select.options].find(each => each.text.trim() === option)
      if (!chosen) throw new Error(`${selector} has no option ${option}`)
      chosen.selected = true
      select.dispatchEvent(new Event('change', { bubbles: true }))
      await screen.updateComplete
    },
    async show(next) {
      set(next)
      await screen.updateComplete
      await screen.updateComplete
    },
  }
}

/** Returns the error message that a field refers to, or null. */
export function messageOf(input: HTMLElement): string | null {
  const ids = (input.getAttribute('aria-describedby') ?? '').split(' ')
  const id = ids.find(each => each.endsWith('-error'))
  return id ? (input.ownerDocument.getElementById(id)?.textContent?.trim() ?? null) : null
}

/** Pastes text. Dispatches a plain event, because not every browser lets a script set a `ClipboardEvent`'s data. */
export function paste(target: HTMLElement, text: string): void {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text', text)
  target.dispatchEvent(Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData }))
}
