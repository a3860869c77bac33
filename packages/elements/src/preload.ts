/** Decides when an element preloads the frame's files. */

/**
 * `idle`: when the browser is idle. `visible`: when the element's parent scrolls into view. `hover`: when the pointer
 * or the focus enters the element's parent.
 */
export type Preload = 'idle' | 'visible' | 'hover'

/** Calls `start` once, at the given moment, unless `signal` is aborted first. */
export function preloadOn(element: Element, moment: Preload, start: () => void, signal: AbortSignal): void {
  // A closed modal has no layout box.
  const area = element.parentElement ?? (element.getRootNode() as ShadowRoot).host
  if (moment === 'hover') {
    for (const type of ['pointerover', 'focusin']) area.addEventListener(type, start, { once: true, signal })
  } else if (moment === 'visible') {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && start())
    observer.observe(area)
    signal.addEventListener('abort', () => observer.disconnect())
  } else if (moment === 'idle') (window.requestIdleCallback ?? setTimeout)(() => signal.aborted || start())
}
