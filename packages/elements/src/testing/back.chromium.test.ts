import { expect } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import { openReady, waitFor } from './double.js'

// On Android, Chrome turns the back gesture into a close request for the dialog. The test makes the same request with
// `requestClose()`.
describe('the back gesture on a phone', () => {
  it('asks the frame, then the page; keeps the dialog open if the page prevents the exit, and closes it otherwise', async () => {
    const { element, outcome, frame, heard } = await openReady()
    const dialog = element.shadowRoot!.querySelector('dialog')!
    let asked = 0
    const keep = (event: Event): void => {
      asked += 1
      event.preventDefault()
    }
    element.addEventListener('element-exit', keep)
    const leaves = () => heard.got.filter(({ port }) => port?.type === 'leave').length
    await sendKeys({ press: 'a' })
    for (let gesture = 1; gesture <= 3; gesture++) {
      dialog.requestClose()
      await waitFor(() => leaves() === gesture)
      expect([asked, dialog.matches(':modal')]).to.deep.equal([0, true])
    }
    // If the person has not tapped since the last gesture, the browser closes the dialog without asking the frame. The
    // element reopens the dialog if the page prevents the exit.
    dialog.close()
    await waitFor(() => asked === 1)
    expect(dialog.matches(':modal')).to.equal(true)
    expect(element.shadowRoot!.querySelector('iframe')).to.equal(frame)
    element.removeEventListener('element-exit', keep)
    dialog.close()
    expect((await outcome).reason).to.equal('user')
    expect(dialog.open).to.equal(false)
  })
})
