/** Tests that the accessibility check used by the other files detects known violations. */
import { violations } from '../support/axe.js'
import { servePage } from '../support/serve-page.js'
import { expect, test } from '../support/test.js'

test('finds violations on the page and in frames from other origins, each time it runs', async ({ page }) => {
  const inner = await servePage('<!doctype html><html lang="en"><title>Inner</title><img src="/a">')
  const outer = await servePage(
    `<!doctype html><html lang="en"><title>Outer</title><img src="/a"><iframe title="Inner" src="${inner.origin}"></iframe>`,
  )
  await page.setContent(
    `<!doctype html><html lang="en"><title>Page</title><main><h1>Page</h1><button></button><iframe title="Outer" src="${outer.origin}"></iframe></main>`,
  )
  await page.frames().at(-1)!.waitForURL(`${inner.origin}/`)
  for (const time of ['first', 'second']) {
    const found = (await violations(page)).join('\n')
    expect(found, time).toContain('button-name: button ')
    expect(found, time).toMatch(/^image-alt: iframe img /m)
    expect(found, time).toMatch(/^image-alt: iframe iframe img /m)
  }
  await Promise.all([inner.stop(), outer.stop()])
})

test('finds nothing on a page without violations', async ({ page }) => {
  await page.setContent('<!doctype html><html lang="en"><title>Page</title><main><h1>Page</h1></main>')
  expect(await violations(page)).toEqual([])
})
