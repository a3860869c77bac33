/** Finds controls by role and accessible name in a document, for drivers that have no such command. */
import type { Control } from './screens.js'

/**
 * Returns the matching visible controls in `root`. The function does not refer to anything outside itself, so a test
 * can run it within a page.
 */
export function findControls(root: Document | Element, { role, name }: Control): HTMLElement[] {
  const selectors = {
    button: 'button',
    textbox: 'input[type="text"]',
    combobox: 'select',
    choice: 'input[type="checkbox"], input[type="radio"]',
    group: 'fieldset, [role="group"]',
    heading: 'h1',
  }
  const textOf = (element: Element) => {
    const copy = element.cloneNode(true) as Element
    for (const hidden of copy.querySelectorAll('[aria-hidden="true"]')) hidden.remove()
    return copy.textContent ?? ''
  }
  const nameOf = (element: HTMLElement) => {
    const label = element.getAttribute('aria-label')
    if (label !== null) return label
    const labels = (element as HTMLInputElement).labels ?? []
    if (labels.length > 0) return [...labels].map(textOf).join(' ')
    return textOf(element.querySelector(':scope > legend') ?? element)
  }
  return [...root.querySelectorAll<HTMLElement>(selectors[role])].filter(element => {
    if (element.getClientRects().length === 0) return false
    const found = nameOf(element).replace(/\s+/g, ' ').trim()
    return typeof name === 'string' ? found === name : name.test(found)
  })
}
