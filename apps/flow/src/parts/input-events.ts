/** Makes every change to a text field arrive as an `input` event that a field's listener can process at once. */

const isTextField = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.type !== 'checkbox' && target.type !== 'radio'

/** Returns true for text that an input method is still composing in a numeric field. */
const isUnfinished = (event: Event): boolean =>
  (event as InputEvent).isComposing &&
  isTextField(event.target) &&
  event.target.inputMode !== 'text' &&
  /[^\0-\x7f]/.test(event.target.value)

/**
 * Watches the fields inside an element. Some password managers and browsers fill in a field and dispatch only `change`.
 * Input methods for full-width digits keep their own copy of the text until it is final, so a field that reformats the
 * text earlier would receive the digits twice.
 */
export function normalizeInputEvents(element: HTMLElement): void {
  /** The text of each field when its listener last processed it. */
  const processed = new WeakMap<EventTarget, string>()
  const report = (field: HTMLInputElement) => field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  element.addEventListener('input', event => isUnfinished(event) && event.stopPropagation(), true)
  element.addEventListener('input', ({ target }) => isTextField(target) && processed.set(target, target.value))
  element.addEventListener('focusin', ({ target }) => isTextField(target) && processed.set(target, target.value))
  element.addEventListener('compositionend', ({ target }) => isTextField(target) && report(target))
  element.addEventListener('change', ({ target }) => {
    if (isTextField(target) && processed.get(target) !== target.value) report(target)
  })
}
