import { expect } from '@open-wc/testing'
import { loadCauseway } from './loader.js'
import { FRAME } from './testing/double.js'

const runs = (): number => (globalThis as { kitRuns?: number }).kitRuns ?? 0

describe('the loader', () => {
  it('can be retried after a failure, and loads once', async () => {
    const options = { frameOrigin: FRAME, version: `flaky-${crypto.randomUUID()}`, nonce: 'abc' }
    const failed = await loadCauseway(options).catch((error: Error) => error.message)
    expect(failed).to.equal(`Causeway could not be loaded from ${FRAME}/${options.version}/kit.js`)
    expect(document.querySelector(`script[src*="${options.version}"]`)).to.equal(null)
    const again = loadCauseway(options)
    expect(loadCauseway(options)).to.equal(again)
    await again
    await loadCauseway(options)
    expect(runs()).to.equal(1)
    expect(document.querySelectorAll(`script[src*="${options.version}"]`).length).to.equal(1)
  })
})
