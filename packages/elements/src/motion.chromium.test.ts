import { expect } from '@open-wc/testing'
import { emulateMedia } from '@web/test-runner-commands'
import { openReady } from './testing/double.js'

// Only Chromium lets a test set the motion preference.
describe('a person who wants no motion', () => {
  before(() => emulateMedia({ reducedMotion: 'reduce' }))
  after(() => emulateMedia({ reducedMotion: 'no-preference' }))

  it('sees the dialog where it belongs at once', async () => {
    const { element } = await openReady()
    expect(getComputedStyle(element.shadowRoot!.querySelector('dialog')!).animationName).to.equal('none')
  })
})
