/**
 * The bars at the top and bottom of the window, which stay in view while the content scrolls under them. Their heights
 * change with the text size and with what they say, so they are measured.
 */
import type { ReactiveController, ReactiveControllerHost } from 'lit'

/** Room for the ring around a control, in CSS pixels. */
const RING = 8

/** Scrolls a control, and the message about it, out from under the bars. Where both do not fit, the control counts. */
export function reveal(control: Element): void {
  const group = control.closest('fieldset')
  const ids = [control, group].flatMap(each => each?.getAttribute('aria-describedby')?.split(' ') ?? [])
  const messages = ids.filter(id => id.endsWith('-error')).map(id => control.ownerDocument.getElementById(id))
  for (const part of [...messages, control.closest('label') ?? control]) part?.scrollIntoView({ block: 'nearest' })
}

/**
 * Sets the scroll padding of the page to the heights of the bars, and keeps the focused control clear of them. Bars that
 * would take more than half of the window scroll with the content. A part of the content with the class `stays` is a bar too
 * while there is room for it.
 */
export class Bars implements ReactiveController {
  private readonly app: ReactiveControllerHost & HTMLElement
  private readonly observer = new ResizeObserver(() => this.measure())

  constructor(app: ReactiveControllerHost & HTMLElement) {
    this.app = app
    app.addController(this)
    // Not for a press of the mouse on anything but a text field: the target must not move before the button is released.
    app.addEventListener('focusin', ({ target }) => {
      if ((target as Element).matches('main :focus-visible')) reveal(target as Element)
    })
  }

  hostConnected(): void {
    addEventListener('resize', this.measure)
  }

  hostDisconnected(): void {
    removeEventListener('resize', this.measure)
    this.observer.disconnect()
  }

  /** Follows the sizes of what is drawn now. */
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
    const stays = meter && getComputedStyle(meter).position === 'sticky' ? inner + RING : 0
    this.app.style.setProperty('--above', `${above}px`)
    this.app.style.setProperty('--inner', `${stays}px`)
    root.style.scrollPaddingBlock = isFixed ? `${above + stays + RING}px ${below + RING}px` : ''
    // A message that has just appeared is part of the content.
    if (control?.matches('main :is(input, select)')) reveal(control)
  }
}
