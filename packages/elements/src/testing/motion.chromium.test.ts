import { expect } from '@open-wc/testing'
import { emulateMedia } from '@web/test-runner-commands'
import { openReady } from './double.js'

// Only Chromium lets a test set the motion preference.
describe('a person who prefers reduced motion', () => {
  before(() => emulateMedia({ reducedMotion: 'reduce' }))
  after(() => emulateMedia({ reducedMotion: 'no-preference' }))

  it('sees the dialog in its final position immediately', async () => {
    const { element } = await openReady()
    expect(getComputedStyle(element.shadowRoot!.querySelector('dialog')!).animationName).to.equal('none')
  })
})
