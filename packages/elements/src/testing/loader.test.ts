import { expect } from '@open-wc/testing'
import { loadCauseway } from '../loader.js'
import { FRAME } from './double.js'

const runs = (): number => (globalThis as { kitRuns?: number }).kitRuns ?? 0

describe('the loader', () => {
  it('can be retried after a failure, and loads only once', async () => {
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

  it('runs only a kit that matches the hash, and can be retried after a mismatch', async () => {
    const version = `steady-${crypto.randomUUID()}`
    const body = await (await fetch(`${FRAME}/${version}/kit.js`)).arrayBuffer()
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-384', body))
    const integrity = `sha384-${btoa(String.fromCharCode(...hash))}`
    const before = runs()
    const refused = await loadCauseway({ frameOrigin: FRAME, version, integrity: `sha384-${'A'.repeat(64)}` }).catch(
      (error: Error) => error.message,
    )
    expect(refused).to.contain('could not be loaded')
    expect(runs()).to.equal(before)
    await loadCauseway({ frameOrigin: FRAME, version, integrity })
    expect(runs()).to.equal(before + 1)
  })
})
