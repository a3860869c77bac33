/**
 * Keeps the page's text up to date after the browser has translated the page. Translation replaces each text node with a
 * `<font>` element. Lit remembers where a text node was and sets `data` on the node at that place, which has no effect on
 * an element. This module makes the element receive the new text in place of the translation.
 */
Object.defineProperty(HTMLFontElement.prototype, 'data', {
  configurable: true,
  set(this: HTMLFontElement, text: unknown) {
    this.replaceWith(String(text))
  },
})

export {}
