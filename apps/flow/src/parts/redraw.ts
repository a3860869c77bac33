import type { LitElement } from 'lit'

/**
 * Updates an element that renders into the document. Some browsers' translations rebuild a paragraph without Lit's
 * markers, so that Lit can't change the paragraph anymore. In that case, renders the element from scratch and restores
 * the focus.
 * @param update updates the element; throws if a marker is missing
 */
export function redraw(host: LitElement, update: () => void): void {
  try {
    update()
  } catch {
    const active = host.ownerDocument.activeElement
    const id = active && host.contains(active) ? active.id : ''
    const caret = (active as HTMLInputElement | null)?.selectionStart
    host.replaceChildren()
    Reflect.deleteProperty(host, '_$litPart$')
    update()
    const again = id ? host.querySelector<HTMLInputElement>(`#${CSS.escape(id)}`) : null
    again?.focus()
    if (typeof caret === 'number') again?.setSelectionRange(caret, caret)
  }
}
