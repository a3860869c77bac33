import { expect } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import { openReady } from './testing/double.js'

// On Android, Chrome turns the back gesture into a close request for the dialog. A script can also make that request.
describe('the back gesture of a phone', () => {
  it('asks the page as Escape does, leaves what it keeps open as it was, and closes what it lets go', async () => {
    const { element, outcome, frame } = await openReady()
    const dialog = element.shadowRoot!.querySelector('dialog')!
    let asked = 0
    const keep = (event: Event): void => {
      asked += 1
      event.preventDefault()
    }
    element.addEventListener('element-exit', keep)
    // A browser lets a page prevent closing only after a user gesture. The second attempt closes the dialog regardless.
    await sendKeys({ press: 'a' })
    for (let gesture = 1; gesture <= 3; gesture++) {
      dialog.requestClose()
      await new Promise(requestAnimationFrame)
      expect(asked).to.equal(gesture)
      expect(dialog.matches(':modal')).to.equal(true)
      expect(element.shadowRoot!.querySelector('iframe')).to.equal(frame)
    }
    element.removeEventListener('element-exit', keep)
    dialog.requestClose()
    expect((await outcome).reason).to.equal('user')
    expect(dialog.open).to.equal(false)
  })
})
