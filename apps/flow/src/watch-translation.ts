/**
 * Keeps the page's text up to date after the browser has translated the page. A translation puts other nodes in the
 * place of a text node, such as `<font>` elements. Lit remembers where the text node was and sets `data` on the node at
 * that place, which has no effect on an element. This module gives the translation's own node a `data` property, which
 * puts the new text in place of the translation. Lit sets `data` only directly after its marker and only where it wrote
 * text before, so the property has no effect on any other node.
 */

/** Makes a node receive the new text in place of the translation. @param others further nodes of the translation */
function receive(node: Node, others: readonly Node[]): void {
  Object.defineProperty(node, 'data', {
    configurable: true,
    get: () => node.nodeValue,
    set(text: unknown) {
      Reflect.deleteProperty(node, 'data')
      const { parentNode } = node
      for (const other of others) if (other.parentNode === parentNode) parentNode?.removeChild(other)
      parentNode?.replaceChild(document.createTextNode(String(text)), node)
    },
  })
}

const isText = (node: Node | null | undefined): node is Text => node?.nodeType === Node.TEXT_NODE
const isElement = (node: Node | null | undefined): node is Element => node?.nodeType === Node.ELEMENT_NODE
const isMarker = (node: Node | null) => node?.nodeType === Node.COMMENT_NODE

/** Reads one change of the page. */
function read({ addedNodes, removedNodes, nextSibling, previousSibling }: MutationRecord): void {
  const [first, ...others] = addedNodes
  if (!first) {
    if (![...removedNodes].some(isText)) return
    // The text was removed after its translation was added before or behind it.
    if (isElement(previousSibling)) receive(previousSibling, [])
    else if (isElement(nextSibling)) receive(nextSibling, [])
  } else if ([...removedNodes].some(isText)) {
    if (isElement(first) || others.length > 0) receive(first, others)
  } else if (isElement(first) && isMarker(previousSibling) && isText(nextSibling)) {
    // The translation is shown before the text.
    receive(first, [...others, nextSibling])
  }
}

/** Watches a tree for translations, and finds those of before. @returns a function that stops watching */
export function watchTranslation(root: Element): () => void {
  for (const each of root.querySelectorAll('font')) if (isMarker(each.previousSibling)) receive(each, [])
  const observer = new MutationObserver(records => {
    for (const record of records) read(record)
  })
  observer.observe(root, { childList: true, subtree: true })
  return () => observer.disconnect()
}
