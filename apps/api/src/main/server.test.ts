import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { engine } from '../testing/service.js'

/** Resolves with the first text from a stream that matches the pattern. */
async function reads(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<string> {
  let text = ''
  for await (const part of stream) {
    text += part
    if (pattern.test(text)) break
  }
  return text
}

it.runIf(engine === 'sqlite')(
  'a second SIGTERM exits immediately while the first one waits for a request',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-server-'))
    const script = fileURLToPath(new URL('server.ts', import.meta.url))
    const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', script], {
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        FRAME_PORT: '0',
        OPS_PORT: '0',
        DATABASE_URL: `file:${join(folder, 'store.db')}`,
        BOOTSTRAP_SECRET_KEY: `sk_${'a'.repeat(24)}`,
        ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    try {
      const ended = once(child, 'exit')
      const { api_origin, ops_origin } = JSON.parse(await reads(child.stdout, /\n/)) as Record<string, string>
      const said = reads(child.stderr, /immediately/)
      // A request with an incomplete body. The interim response shows that the service received it.
      const slow = connect(Number(new URL(api_origin!).port), '127.0.0.1')
      slow.on('error', () => {})
      const head = ['POST /entities HTTP/1.1', 'Host: a', `Authorization: Bearer sk_${'a'.repeat(24)}`]
      slow.write(`${[...head, 'Content-Length: 9', 'Expect: 100-continue'].join('\r\n')}\r\n\r\n{`)
      await once(slow, 'data')
      child.kill('SIGTERM')
      const ready = async () => (await fetch(`${ops_origin}/readyz`, { headers: { connection: 'close' } })).status
      await expect.poll(ready, { timeout: 10_000 }).toBe(503)
      expect(child.exitCode).toBe(null)
      child.kill('SIGTERM')
      expect(await ended).toEqual([1, null])
      expect(await said).toContain('The service received SIGTERM a second time and is stopping immediately.')
      slow.destroy()
    } finally {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    }
  },
  60_000,
)
