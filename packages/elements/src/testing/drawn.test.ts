/** Tests frames whose page shows the first screen before its app is ready. */
import { expect } from '@open-wc/testing'
import {
  addElement,
  commandFrame,
  frameOf,
  frameSettled,
  newHandle,
  nextEvent,
  recordMessages,
  waitFor,
} from './double.js'

const isVisible = (frame: Element) => getComputedStyle(frame).visibility === 'visible'

/** Opens an element whose frame has loaded its page, but not its app. */
async function openMute(timeout = 10_000) {
  const handle = newHandle('mute')
  const heard = recordMessages(handle)
  const element = await addElement(handle, { timeout })
  const seen: string[] = []
  for (const name of ['element-ready', 'element-error']) element.addEventListener(name, () => seen.push(name))
  void element.open()
  await heard.next('loaded')
  return { element, heard, seen, frame: frameOf(element) }
}

describe('a frame that shows its first screen before its app is ready', () => {
  it('is visible, without the loading state and without element-ready', async () => {
    const { element, heard, seen, frame } = await openMute()
    expect(isVisible(frame)).to.equal(false)
    commandFrame(frame, { hello: { causeway: 'drawn' } })
    await waitFor(() => isVisible(frame))
    expect(element.shadowRoot!.querySelector('[part=loading], [part=close]:not([hidden])')).to.equal(null)
    commandFrame(frame, { hello: {} })
    await heard.next('init')
    await element.updateComplete
    expect(isVisible(frame)).to.equal(true)
    expect(seen).to.deep.equal([])
    const ready = nextEvent(element, 'element-ready')
    commandFrame(frame, { say: [{ type: 'ready' }] })
    await ready
    expect(isVisible(frame)).to.equal(true)
  })

  it('is not visible if the nonce is wrong', async () => {
    const { element, heard, frame } = await openMute()
    commandFrame(frame, { hello: { causeway: 'drawn', n: '0'.repeat(32) } })
    commandFrame(frame, { hello: {} })
    await frameSettled(frame, heard)
    await element.updateComplete
    expect(isVisible(frame)).to.equal(false)
  })

  it('is replaced by the error if its app never starts, and a retry starts hidden again', async () => {
    const { element, heard, seen, frame } = await openMute(2_000)
    commandFrame(frame, { hello: { causeway: 'drawn' } })
    await waitFor(() => isVisible(frame))
    await waitFor(() => element.shadowRoot!.querySelector('[part=retry]'), 'the error')
    expect([isVisible(frame), seen]).to.deep.equal([false, ['element-error']])
    element.shadowRoot!.querySelector<HTMLElement>('[part=retry]')!.click()
    await heard.next('loaded', 2)
    expect(isVisible(frameOf(element))).to.equal(false)
  })
})
