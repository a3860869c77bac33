import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it.each(['stdout', 'stderr'] as const)('a command exits quietly once the reader of its %s is gone', async name => {
  const output = fileURLToPath(new URL('output.ts', import.meta.url))
  const program = `
    import { exitOnClosedPipe } from ${JSON.stringify(output)}
    exitOnClosedPipe()
    process.stdin.on('data', () => process.${name}.write('x'.repeat(200_000)))
  `
  const child = spawn(
    process.execPath,
    ['--conditions=source', '--import', 'tsx', '--input-type=module', '--eval', program],
    { stdio: 'pipe' },
  )
  const closed = once(child, 'close')
  let complaints = ''
  if (name === 'stdout') child.stderr.on('data', chunk => (complaints += chunk))
  child[name].destroy()
  child.stdin.on('error', () => {})
  child.stdin.write('go')
  expect([(await closed)[0], complaints]).toEqual([0, ''])
})
