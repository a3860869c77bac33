/** Translates a page as browsers and extensions do: each leaves what is marked `translate="no"` alone. */

const isOwn = (node: Node): boolean =>
  (node.parentElement?.closest('[translate]')?.getAttribute('translate') ?? 'yes') !== 'no'

/** Returns the texts that a translation changes. */
function textsOf(root: Node): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  return texts.filter(text => text.data.trim() !== '' && isOwn(text))
}

const wrap = (name: string, ...content: (string | Node)[]) => {
  const element = document.createElement(name)
  element.append(...content)
  return element
}
const changed = (text: string) => `«${text.trim()}»`

/** Replaces each text node. */
const replacing =
  (replace: (text: Text) => void) =>
  (root: Node): void => {
    for (const text of textsOf(root)) replace(text)
  }

const inline = ['A', 'B', 'BDI', 'BUTTON', 'EM', 'I', 'LABEL', 'SMALL', 'SPAN', 'STRONG']

/** Translates each block as a whole. Its elements stay, and everything else in the block is replaced. */
function rebuild(root: Node): void {
  const blocks = new Set<Element>()
  for (const text of textsOf(root)) {
    let block = text.parentElement!
    while (inline.includes(block.tagName) && block.parentElement && isOwn(block)) block = block.parentElement
    if (![...block.children].some(child => !inline.includes(child.tagName))) blocks.add(block)
  }
  const merge = (element: Element) => {
    const nodes = [...element.childNodes]
    element.replaceChildren(
      ...nodes.flatMap((node): Node[] => {
        if (node instanceof Text) return [document.createTextNode(isOwn(node) ? changed(node.data) : node.data)]
        return node instanceof Element ? [node] : []
      }),
    )
    for (const child of element.children) if (child.getAttribute('translate') !== 'no') merge(child)
  }
  for (const block of blocks) merge(block)
}

/** The ways in which the translations of browsers and extensions change a page. */
export const translations: Readonly<Record<string, (root: Node) => void>> = {
  'two font elements': replacing(text => text.replaceWith(wrap('font', wrap('font', changed(text.data))))),
  'a span': replacing(text => text.replaceWith(wrap('span', changed(text.data)))),
  'another text node': replacing(text => text.replaceWith(changed(text.data))),
  'several nodes': replacing(text => text.replaceWith('«', wrap('span', text.data.trim()), '»')),
  'an element behind the text, which is then removed': replacing(text => {
    text.after(wrap('span', changed(text.data)))
    text.remove()
  }),
  'an element before the text, which is then removed': replacing(text => {
    text.before(wrap('span', changed(text.data)))
    text.remove()
  }),
  'an element before the text, which stays': replacing(text => text.before(wrap('span', changed(text.data)))),
  'a paragraph without its markers': rebuild,
}
