import { expect } from '@open-wc/testing'
import { emulateMedia } from '@web/test-runner-commands'
import { gallery } from '../../../dev/fixtures.js'
import { mount } from '../../testing/mount.js'

/** Returns the animations of the mark on the last screen, by pseudo-element. */
const animations = async (): Promise<string[]> => {
  const { find } = await mount(gallery.done['plain']!)
  const badge = find('.badge')
  return ['', '::before', '::after'].map(part => getComputedStyle(badge, part || null).animationName)
}

// Only Chromium lets a test set the motion preference.
describe('the mark of a finished session', () => {
  afterEach(() => emulateMedia({ reducedMotion: 'no-preference' }))

  it('moves once when the screen appears', async () => {
    await emulateMedia({ reducedMotion: 'no-preference' })
    expect(await animations()).to.deep.equal(['pop', 'burst', 'burst'])
  })

  it('does not move for a person who prefers reduced motion', async () => {
    await emulateMedia({ reducedMotion: 'reduce' })
    expect(await animations()).to.deep.equal(['none', 'none', 'none'])
  })
})
