/** Tests frames whose page shows the first screen before its app is ready. */
import { expect } from '@open-wc/testing'
import { frameOf, hear, newHandle, next, order, place, settled, until } from './testing/double.js'

const isVisible = (frame: Element) => getComputedStyle(frame).visibility === 'visible'

/** Opens an element whose frame has loaded its page, but not its app. */
async function openMute(timeout = 10_000) {
  const handle = newHandle('mute')
  const heard = hear(handle)
  const element = await place(handle, { timeout })
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
    order(frame, { hello: { causeway: 'drawn' } })
    await until(() => isVisible(frame))
    expect(element.shadowRoot!.querySelector('[part=loading], [part=close]:not([hidden])')).to.equal(null)
    order(frame, { hello: {} })
    await heard.next('init')
    await element.updateComplete
    expect(isVisible(frame)).to.equal(true)
    expect(seen).to.deep.equal([])
    const ready = next(element, 'element-ready')
    order(frame, { say: [{ type: 'ready' }] })
    await ready
    expect(isVisible(frame)).to.equal(true)
  })

  it('is not visible if the nonce is wrong', async () => {
    const { element, heard, frame } = await openMute()
    order(frame, { hello: { causeway: 'drawn', n: '0'.repeat(32) } })
    order(frame, { hello: {} })
    await settled(frame, heard)
    await element.updateComplete
    expect(isVisible(frame)).to.equal(false)
  })

  it('is replaced by the error if its app never starts, and a retry starts hidden again', async () => {
    const { element, heard, seen, frame } = await openMute(2_000)
    order(frame, { hello: { causeway: 'drawn' } })
    await until(() => isVisible(frame))
    await until(() => element.shadowRoot!.querySelector('[part=retry]'), 'the error')
    expect([isVisible(frame), seen]).to.deep.equal([false, ['element-error']])
    element.shadowRoot!.querySelector<HTMLElement>('[part=retry]')!.click()
    await heard.next('loaded', 2)
    expect(isVisible(frameOf(element))).to.equal(false)
  })
})
