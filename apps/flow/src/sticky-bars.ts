/**
 * The bars at the top and bottom of the window, which stay in view while the content scrolls under them. The bars'
 * heights must be measured, because they depend on the text size and the contents.
 */
import type { ReactiveController, ReactiveControllerHost } from 'lit'

/** Space for the focus ring around a control, in CSS pixels. */
const FOCUS_RING_PX = 8

/**
 * Scrolls a control and its messages out from under the bars. If there is not enough room for both, the control takes
 * priority.
 */
export function scrollIntoSight(control: Element): void {
  const group = control.closest('fieldset')
  const ids = [control, group].flatMap(each => each?.getAttribute('aria-describedby')?.split(' ') ?? [])
  const messages = ids.filter(id => id.endsWith('-error')).map(id => control.ownerDocument.getElementById(id))
  for (const part of [...messages, control.closest('label') ?? control]) part?.scrollIntoView({ block: 'nearest' })
}

/**
 * Sets the page's scroll padding to the heights of the bars, and keeps the focused control clear of them. If the bars
 * would take up more than half of the window, they scroll with the content instead. A content element with the class
 * `stays` is also treated as a bar if there is room for it.
 */
export class StickyBars implements ReactiveController {
  private readonly app: ReactiveControllerHost & HTMLElement
  private readonly observer = new ResizeObserver(() => this.measure())

  constructor(app: ReactiveControllerHost & HTMLElement) {
    this.app = app
    app.addController(this)
    // Focus from a mouse click is ignored, except on text fields, because a click target must not move before the mouse
    // button is released.
    app.addEventListener('focusin', ({ target }) => {
      if ((target as Element).matches('main :focus-visible')) scrollIntoSight(target as Element)
    })
  }

  hostConnected(): void {
    addEventListener('resize', this.measure)
  }

  hostDisconnected(): void {
    removeEventListener('resize', this.measure)
    this.observer.disconnect()
  }

  /** Starts observing the sizes of the current elements. */
  follow(): void {
    this.observer.disconnect()
    for (const part of this.app.querySelectorAll('.top, .dock, .content, .stays')) this.observer.observe(part)
  }

  private readonly measure = (): void => {
    const { documentElement: root, activeElement: control } = this.app.ownerDocument
    const [top, dock, meter] = ['.top', '.dock', '.stays'].map(name => this.app.querySelector<HTMLElement>(name))
    if (!top) return
    const [above, below, inner] = [top, dock, meter].map(bar => bar?.offsetHeight ?? 0) as [number, number, number]
    root.toggleAttribute('data-loose', (above + below) * 2 > innerHeight)
    root.toggleAttribute('data-roomy', (above + below + inner) * 2 < innerHeight)
    const isFixed = getComputedStyle(top).position === 'sticky'
    const stays = meter && getComputedStyle(meter).position === 'sticky' ? inner + FOCUS_RING_PX : 0
    this.app.style.setProperty('--above', `${above}px`)
    this.app.style.setProperty('--inner', `${stays}px`)
    root.style.scrollPaddingBlock = isFixed ? `${above + stays + FOCUS_RING_PX}px ${below + FOCUS_RING_PX}px` : ''
    // The height may have changed because a message has just appeared next to the control.
    if (control?.matches('main :is(input, select)')) scrollIntoSight(control)
  }
}
