import { expect } from '@open-wc/testing'
import { setViewport } from '@web/test-runner-commands'
import { scenes } from '../dev/scenes.js'
import { showPage } from './testing/show-page.js'

/** Personal values from the fixtures, which must not appear in URLs. */
const personal = /tamsin|\browe|corwin|\bashe|0108/i

// The narrowest phone, and a page at 400 percent.
before(() => setViewport({ width: 320, height: 640 }))
after(() => setViewport({ width: 1280, height: 800 }))

for (const [page, states] of Object.entries(scenes)) {
  describe(`the page ${page}`, () => {
    for (const state of Object.keys(states)) {
      it(`renders ${state} with one heading, without inline styles, at 320 px and without a name in a URL`, async () => {
        const { app, at } = await showPage(page, state)
        expect(app.querySelectorAll('h1').length).to.equal(1)
        // Custom properties set through the CSSOM are fine: the content security policy allows them.
        const styled = [...app.querySelectorAll('[style]')].map(each => each.getAttribute('style') ?? '')
        expect(styled.filter(each => !each.startsWith('--'))).to.deep.equal([])
        expect(app.querySelectorAll('style, script').length).to.equal(0)
        const { scrollWidth, clientWidth } = document.documentElement
        expect(scrollWidth, 'the width of the page').to.equal(clientWidth)
        expect(at()).not.to.match(personal)
        for (const link of app.querySelectorAll('a')) expect(link.getAttribute('href')).not.to.match(personal)
      })
    }
  })
}
