import { spawnSync } from 'node:child_process'
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
