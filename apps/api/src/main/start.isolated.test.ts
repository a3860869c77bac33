import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { readConfig } from './config.js'
import { run } from './run.js'

/** The listeners' handlers, in the order in which the listeners were opened: the API, the frame, operations. */
const answers = vi.hoisted(() => [] as ((request: Request) => Promise<Response>)[])
vi.mock('./listeners/listen.js', async importActual => {
  const actual = await importActual<typeof import('./listeners/listen.js')>()
  const listen: typeof actual.listen = (fetch, ...more) => {
    answers.push(async request => fetch(request))
    return actual.listen(fetch, ...more)
  }
  return { ...actual, listen }
})

it('becomes ready only once the API responds', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-start-'))
  const config = readConfig({ PORT: '0', FRAME_PORT: '0', OPS_PORT: '0', DATABASE_URL: 'file:store.db' }, folder)
  const look = async () => {
    const [api, , ops] = answers
    const ready = ops!(new Request('http://127.0.0.1/readyz'))
    const answered = api!(new Request('http://127.0.0.1/ping'))
    return [(await ready).status, (await answered).status === 503]
  }
  let starting: ReturnType<typeof look> | undefined
  // The service reports the first team's key during startup, after opening its listeners.
  const service = await run(
    config,
    () => {},
    () => {
      starting = look()
    },
  )
  expect(await starting).toEqual([503, true])
  expect(await look()).toEqual([200, false])
  const stopped = service.stop()
  expect((await answers[2]!(new Request('http://127.0.0.1/readyz'))).status).toBe(503)
  await stopped
  rmSync(folder, { recursive: true, force: true })
})
