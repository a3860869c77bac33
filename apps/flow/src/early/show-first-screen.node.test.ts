import { afterEach, describe, expect, test, vi } from 'vitest'
import { showFirstScreen } from './show-first-screen.js'

afterEach(() => vi.unstubAllGlobals())

/** Returns a stub of an element with text and one button. The stub has only the members that the script uses. */
function stub(textContent: string) {
  const button = {
    click: vi.fn(),
    focus: vi.fn(),
    closest: (selector: string) => (selector === 'button' ? button : null),
  }
  const listeners: ((event: object) => void)[] = []
  return {
    button,
    press: () => {
      for (const listen of listeners) listen({ target: button, preventDefault: () => undefined })
    },
    element: {
      textContent,
      querySelector: () => ({ scrollTop: 0 }),
      querySelectorAll: () => [button],
      addEventListener: (_type: string, listen: (event: object) => void) => listeners.push(listen),
      removeAttribute: vi.fn(),
      remove: vi.fn(),
    },
  }
}

/**
 * Presses the button on the displayed screen, and then renders the app's screen. Returns the number of presses that the
 * app's button receives.
 */
function pressThenRender(displayed: string, rendered: string): number {
  let render: () => void = () => undefined
  vi.stubGlobal(
    'MutationObserver',
    class {
      constructor(run: (records: [], observer: object) => void) {
        render = () => run([], this)
      }
      observe() {}
      disconnect() {}
    },
  )
  const [early, app] = [stub(displayed), stub(rendered)]
  const parts: Record<string, object> = { '#early': early.element, 'causeway-flow': app.element }
  showFirstScreen(
    {
      document: { querySelector: (selector: string) => parts[selector], referrer: '' },
      location: { hash: '' },
      setTimeout: () => 0,
      requestAnimationFrame: () => 0,
    } as unknown as Window,
    () => undefined,
  )
  early.press()
  expect(app.button.click).not.toHaveBeenCalled()
  render()
  expect(early.element.remove).toHaveBeenCalledOnce()
  return app.button.click.mock.calls.length
}

describe('an early press', () => {
  test('is applied to the same screen, however its markup is indented', () => {
    expect(pressThenRender('I agree to this. ', 'I agree \n to this. ')).toBe(1)
  })

  test('is dropped if the text differs', () => {
    expect(pressThenRender('I agree to this.', 'I agree to that.')).toBe(0)
  })
})
