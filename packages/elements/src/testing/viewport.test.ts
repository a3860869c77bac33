import { expect } from '@open-wc/testing'
import { openReady } from './double.js'

const WARNING = 'The page has no viewport meta tag. Phones show it too small.'

/** Opens two elements, one after the other, and returns the warnings in the browser's console. */
async function warningsOf(): Promise<string[]> {
  const { warn } = console
  const warnings: string[] = []
  console.warn = (text: string) => warnings.push(text)
  try {
    for (let count = 0; count < 2; count += 1) {
      const { element } = await openReady()
      element.close()
    }
  } finally {
    console.warn = warn
  }
  return warnings.filter(text => text === WARNING)
}

it('warns developers once if the page has no viewport tag', async () => {
  const tag = document.querySelector('meta[name=viewport]')
  tag?.remove()
  expect(await warningsOf()).to.deep.equal([WARNING])
  if (tag) document.head.append(tag)
})
