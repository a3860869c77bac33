/** The script that runs in the frame's page before the app has loaded. */
import { PROTOCOL } from '@causeway/contract/frame'

/**
 * Returns every control that a person can press or open. Both versions of the screen have the same controls in the same
 * order.
 */
const controlsOf = (root: Element) => [...root.querySelectorAll<HTMLElement>('button,summary,a')]

/** Returns a screen's text, ignoring the indentation of its markup. */
const textOf = (root: Element) => root.textContent!.replace(/\s+/g, ' ')

/**
 * Shows the first screen, notifies the element that the frame can be shown, and then loads the app. A button press is
 * held until the app has rendered its own screen. If the text of that screen differs, the press is dropped, because the
 * person agreed only to what was displayed.
 */
export function showFirstScreen(window: Window, load: (path: string) => unknown): void {
  const { document, parent } = window
  const find = <T extends Element>(selector: string) => document.querySelector<T>(selector)!
  const early = find('#early')
  const app = find('causeway-flow')
  const fragment = new URLSearchParams(window.location.hash.slice(1))
  const nonce = fragment.get('n')
  const origin = window.location.ancestorOrigins?.[0] ?? (document.referrer || fragment.get('o'))
  let pressed: HTMLElement | null = null

  early.addEventListener('click', event => {
    const button = (event.target as Element).closest('button')
    if (!button) return
    event.preventDefault()
    pressed = button
    button.ariaBusy = 'true'
  })

  new MutationObserver((_, observer) => {
    if (!app.querySelector('.screen h1,.state h1')) return
    observer.disconnect()
    const [before, after] = [early, app].map(controlsOf) as [HTMLElement[], HTMLElement[]]
    const isSame = textOf(early) === textOf(app)
    const focused = before.indexOf(document.activeElement as HTMLElement)
    const { scrollTop } = early.querySelector('.body')!
    early.remove()
    if (!isSame) return
    before.forEach((control, i) => {
      // Open the same document in the app's screen, which also loads the document's text.
      if (control.closest('details[open]>summary')) after[i]!.click()
    })
    app.querySelector('.body')!.scrollTop = scrollTop
    after[focused]?.focus({ preventScroll: true })
    after[before.indexOf(pressed!)]?.click()
  }).observe(app, { childList: true, subtree: true })

  if (nonce && parent !== window && origin) {
    document.documentElement.dataset['scheme'] ||= window.matchMedia('(prefers-color-scheme:dark)').matches
      ? 'dark'
      : 'light'
    early.removeAttribute('hidden')
    // Only a parent at this origin can receive the message.
    parent.postMessage({ causeway: 'drawn', v: PROTOCOL, n: nonce }, origin)
  }
  // Let the browser draw the screen before the app's script occupies the main thread. A hidden page gets no animation
  // frames, so a timer also starts the load.
  const start = () => load(find<HTMLLinkElement>('link[rel=modulepreload]').href)
  window.setTimeout(start, 100)
  window.requestAnimationFrame(() => setTimeout(start))
}
