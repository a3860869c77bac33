import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createAdaptorServer } from '@hono/node-server'
import { expect, it } from 'vitest'
import { testService } from '../../testing/service.js'

it('the example on the docs page runs unchanged', async () => {
  const page = readFileSync(new URL('../../../../../docs/encryption.md', import.meta.url), 'utf8')
  const [, code] = /```js\n([\s\S]+?)```/.exec(page)!
  const service = await testService()
  const server = createAdaptorServer({ fetch: service.app.api.fetch }) as Server
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  // The folder from which Node.js resolves `jose`.
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code!], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    env: { CAUSEWAY_URL: `http://127.0.0.1:${port}`, CAUSEWAY_KEY: service.key },
  })
  expect(stdout).toBe('Harbor\n')
  const requests = service.lines.map(line => JSON.parse(line) as { status?: number }).filter(({ status }) => status)
  expect(requests.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(service.lines.join('\n')).not.toContain('Harbor')
  server.close()
}, 30_000)
