import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

describe.each(['start.mjs', 'dev.mjs'])('%s', name => {
  const script = fileURLToPath(new URL(name, import.meta.url))
  const run = argument => spawnSync(process.execPath, [script, argument], { encoding: 'utf8', timeout: 20_000 })

  it.each(['--help', '-h'])('prints its usage for %s and starts nothing', argument => {
    const { status, stdout, stderr } = run(argument)
    expect([status, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(/DEMO_PORT .*4300/)
    expect(stderr).not.toContain('Starting')
  })

  it('rejects other arguments', () => {
    const { status, stderr } = run('--port=1')
    expect(status).toBe(2)
    expect(stderr).toContain('Unknown argument: --port=1')
    expect(stderr).not.toContain('Starting')
  })
})

it.each(['PORT', 'FRAME_PORT', 'OPS_PORT', 'DEMO_PORT', 'CONSOLE_PORT'])(
  'names %s if its port is in use, and builds nothing',
  async variable => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address()
    const script = fileURLToPath(new URL('start.mjs', import.meta.url))
    const free = { PORT: '0', FRAME_PORT: '0', OPS_PORT: '0', DEMO_PORT: '0', CONSOLE_PORT: '0' }
    const child = spawn(process.execPath, [script], { env: { ...process.env, ...free, [variable]: String(port) } })
    let said = ''
    child.stderr.on('data', chunk => {
      said += chunk
    })
    const [code] = await once(child, 'close')
    other.close()
    expect(code).toBe(1)
    expect(said).toMatch(
      new RegExp(`^Port ${port}, for .+, is in use\\. Choose another: ${variable}=\\d+ pnpm start\\n$`),
    )
  },
)
