import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'

describe('importing on a server', () => {
  it('needs no window, and registers nothing', async () => {
    expect(globalThis).not.toHaveProperty('window')
    const kit = await import('./index.js')
    expect(kit.ConnectElement.mode).toBe('connect')
    expect(kit.OpalBalanceTransferElement.mode).toBe('balance_transfer')
    expect(new kit.ElementExitEvent('user')).toMatchObject({ type: 'element-exit', reason: 'user', cancelable: true })
    await expect(import('./define.js')).resolves.toBeDefined()
    expect(globalThis).not.toHaveProperty('window')
  })

  it('loads nothing', async () => {
    const { loadCauseway } = await import('./loader.js')
    await expect(loadCauseway({ frameOrigin: 'https://frame.example.com' })).resolves.toBeUndefined()
  })

  it('prevents bundlers from dropping the modules that register the elements', async () => {
    const { sideEffects } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    for (const folder of ['src/define.ts', 'dist/define.js']) expect(sideEffects).toContain(`./${folder}`)
  })
})
