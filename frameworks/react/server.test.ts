import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bundleFor } from './bundle.mjs'
import type { render } from './server.js'

const place = mkdtempSync(join(tmpdir(), 'causeway-react-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

describe.each([18, 19] as const)('React %i on a server', version => {
  let server: { version: string; render: typeof render }
  beforeAll(async () => {
    const path = join(place, `${version}.mjs`)
    writeFileSync(path, await bundleFor(version, 'server'))
    server = await import(pathToFileURL(path).href)
  }, 60_000)

  it('renders only the tags: no token, no settings and no calls', () => {
    const complaint = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const never = vi.fn()
    const html = server.render({
      token: 'pk_elem_secret',
      getToken: never,
      opened: true,
      locale: 'es',
      theme: { accent: '#0a7d4f' },
      frameOrigin: 'https://frame.example.com',
      onElementReady: never,
      className: 'flow',
      id: 'a',
    })
    expect(server.version.split('.')[0]).toBe(String(version))
    expect(html).toBe(
      '<connect-element id="a" class="flow"><p slot="error">Call us</p></connect-element>' +
        '<opal-balance-transfer-element id="a" class="flow"></opal-balance-transfer-element>',
    )
    expect(never).not.toHaveBeenCalled()
    expect(complaint.mock.calls).toEqual([])
    expect(globalThis).not.toHaveProperty('window')
  })
})
