import { expect } from '@open-wc/testing'
import { gallery } from '../dev/fixtures.js'
import { mount } from './testing/mount.js'
import './translated.js'

/** Wraps each text node in two `font` elements, as a browser's translation does. */
function translate(root: Node): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) if (walker.currentNode.textContent!.trim()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    const [outer, inner] = [document.createElement('font'), document.createElement('font')]
    inner.textContent = text.data
    outer.append(inner)
    text.replaceWith(outer)
  }
}

it('shows the sum of the fields after the browser has translated the page', async () => {
  const { find, screen, type } = await mount(gallery.allocation['plain']!)
  const before = find('.meter-top').textContent
  translate(screen)
  const [input] = screen.querySelectorAll<HTMLInputElement>('input[inputmode=decimal]')
  await type(`#${input!.id}`, '1.00')
  const after = find('.meter-top').textContent
  expect(after).not.to.equal(before)
  await type(`#${input!.id}`, '2.00')
  expect(find('.meter-top').textContent).not.to.equal(after)
})
