import { randomBytes, randomUUID } from 'node:crypto'
import { UnknownMethodError } from '@causeway/connector/http/exchange'
import { createConnector } from '@causeway/connector/http/serve'
import { readSharedKeys } from '@causeway/connector/http/signature'
import { expect, it } from 'vitest'
import { createSandbox } from '../../sandbox/sandbox.js'
import { testService } from '../../testing/service.js'
import { openProviders } from './open.js'
import { routeAll } from './routing.js'

const service = await testService()
const keys = readSharedKeys(randomBytes(32).toString('base64'))!

/** Opens a connector that lists these methods and serves none. @returns true if the service is ready */
async function isReady(...methods: string[]): Promise<boolean> {
  const connector = createConnector({
    async exchange(path) {
      if (path === 'capabilities') return { methods }
      throw new UnknownMethodError(`no ${path}`, { outcome: 'nothing', retryable: false })
    },
    keys,
    clock: Date.now,
    id: randomUUID,
  })
  await service.store.write(tx =>
    tx.deleteFrom('settings').where('name', 'in', ['connector_tables', 'connector_capabilities']).execute(),
  )
  const sleep = async () => {}
  const { store, vault, metrics, providerUsage } = service.deps
  const opened = await openProviders(
    {
      routes: routeAll('connector'),
      providers: [],
      connector: { url: 'http://127.0.0.1:4600', keys, timeout: 1_000 },
      sandbox: createSandbox({ sleep }),
    },
    {
      ...{ store, vault, metrics, providerUsage, sleep, clock: Date.now, log: () => {} },
      fetch: (url, init) => connector(new Request(url, init)),
    },
  )
  opened.stop()
  return opened.tables.ready()
}

it('the service is ready without tables only if the connector serves none', async () => {
  expect(await isReady('rail/submit')).toBe(true)
  expect(await isReady('rail/submit', 'network/tables')).toBe(false)
})
