import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('an admin command with --help prints the usage and does nothing else', async () => {
  const script = fileURLToPath(new URL('admin.ts', import.meta.url))
  const args = ['--conditions=source', '--import', 'tsx', script, 'payments', 'stop', 'all', '--help']
  // There is no store, so a command that ran would fail.
  const env = { PATH: process.env['PATH'], DATABASE_URL: 'file:/nowhere/none.db' }
  const child = spawn(process.execPath, args, { env })
  const [[code], output, complaints] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  expect([code, complaints]).toEqual([0, ''])
  expect(output).toContain('pnpm admin console link [TEAM]')
})
