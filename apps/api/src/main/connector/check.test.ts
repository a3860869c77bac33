/** The checks of a connector with providers, and the stores that it refuses. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveFaulty } from '@causeway/connector/emulator/server'
import { createIncreaseEmulator } from '@causeway/providers/increase/emulator/emulator'
import { expect, it } from 'vitest'
import { stopAtEnd } from '../../testing/cleanup.js'
import { connectorKey } from '../../testing/connector/connector-process.js'
import { freshStore, testService } from '../../testing/service.js'
import { rejectConnectorStore } from '../boot.js'
import { checkConnectorDeployment } from './check.js'
import { readConnectorConfig } from './config.js'
import { runConnector } from './run.js'

const folder = mkdtempSync(join(tmpdir(), 'causeway-connector-'))
stopAtEnd(async () => rmSync(folder, { recursive: true }))
const emulator = createIncreaseEmulator({
  webhooks: { url: 'https://connector.example/hooks/increase', secret: 'a secret of the subscription' },
})
const bank = await serveFaulty(emulator.answer)
stopAtEnd(bank.close)
const service = await testService()
const api = await serveFaulty(async request => service.app.api.fetch(request))
stopAtEnd(api.close)

const env = {
  ...{ PROVIDERS: 'increase', PORT: '0', OPS_PORT: '0', API_ORIGIN: api.url, CONNECTOR_KEY: connectorKey },
  ...{ ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64'), DATABASE_URL: `file:${join(folder, 'connector.db')}` },
  ...{ INCREASE_API_URL: bank.url, INCREASE_API_KEY: 'emulator_api_key' },
  INCREASE_WEBHOOK_SECRET: 'a secret of the subscription',
}
const check = async (changes: Record<string, string> = {}) => {
  const { text, isOk } = await checkConnectorDeployment({ ...env, ...changes }, folder, Date.now())
  expect(isOk).toBe(!/^problem/m.test(text))
  return text
}
const start = (changes: Record<string, string> = {}) =>
  runConnector(readConnectorConfig({ ...env, ...changes }, folder), () => {})

it('finds what is wrong: the store, the keys, and the connection to the service', async () => {
  expect(await check()).toMatch(/^problem +store +The store does not exist or has no tables. Start the connector once/m)
  const connector = await start()
  stopAtEnd(connector.stop)
  const text = await check()
  expect(text).toMatch(/^ok +service +The service accepts pushes, and its key matches./m)
  expect(text).toMatch(/^ok +increase +Increase accepted the key/m)
  expect(text).not.toMatch(/^problem/m)
  expect(await check({ INCREASE_API_KEY: 'another_api_key' })).toMatch(
    /^problem +increase +Increase rejected INCREASE_API_KEY/m,
  )
  expect(await check({ CONNECTOR_KEY: Buffer.alloc(32, 3).toString('base64') })).toMatch(
    /^problem +service +The service rejects pushes. Set CONNECTOR_KEY to the service's key./m,
  )
  const other = await serveFaulty(async () => new Response('', { status: 404 }))
  stopAtEnd(other.close)
  expect(await check({ API_ORIGIN: other.url })).toMatch(
    /^problem +service +The service answered a push with the status 404. Check API_ORIGIN/m,
  )
  expect(await check({ PROVIDERS: 'bank' })).toMatch(/^problem +settings +PROVIDERS contains “bank”/m)
})

it("refuses the service's store, and the service refuses the connector's", async () => {
  const { store, url, remove } = await freshStore()
  stopAtEnd(remove)
  await store.write(tx => tx.insertInto('settings').values({ name: 'bootstrapped', value: 'now' }).execute())
  await store.close()
  await expect(start({ DATABASE_URL: url })).rejects.toThrow('The store belongs to the service.')

  const other = await freshStore()
  stopAtEnd(async () => {
    await other.store.close()
    await other.remove()
  })
  await other.store.write(tx => tx.insertInto('settings').values({ name: 'connector', value: 'yes' }).execute())
  await expect(rejectConnectorStore(other.store)).rejects.toThrow('The store belongs to a connector.')
})
