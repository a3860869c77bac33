import { createPortsExchange } from '@causeway/connector/http/serve'
import { tablesMethod as method } from '@causeway/connector/methods/network-methods'
import { expect, it } from 'vitest'
import type { Store } from '../../platform/db/store.js'
import { createLog } from '../../platform/log.js'
import { testSandbox } from '../../sandbox/fixtures.js'
import { testService } from '../../testing/service.js'
import type { CallConnector } from './ask.js'
import { loadTables } from './tables.js'

const service = await testService()

const { network } = testSandbox()
const merchants = network.merchants()
const unreachable: CallConnector = () => Promise.reject(new Error('unreachable'))
/** Simulates a connector whose tables name this bureau. */
const naming =
  (name: string, rows = merchants): CallConnector =>
  async () =>
    method.answer.parse({ merchants: rows, card_products: [], bureau: { name, phone: '+18005550100', url: null } })

async function load(ask: CallConnector) {
  const lines: string[] = []
  const log = createLog(line => lines.push(line), Date.now)
  let write: Store['write'] = service.store.write
  const stored = new Promise<void>(resolve => {
    write = work => service.store.write(work).finally(resolve)
  })
  const tables = await loadTables(ask, { ...service.store, write }, { clock: Date.now, log })
  tables.stop()
  const warned = () => lines.filter(line => JSON.parse(line).event === 'connector_bureau_name_unusable').length
  return { tables, warned, stored }
}
const forget = () =>
  service.store.write(tx => tx.deleteFrom('settings').where('name', '=', 'connector_tables').execute())

it('are loaded without a bureau that has no readable name, from the connector and from the store', async () => {
  for (const name of ['x'.repeat(61), 'x'.repeat(2_000), '', ' ', '\u2800', 'Bureau\u202e', 'Credit\nBureau']) {
    await forget()
    for (const ask of [naming(name), unreachable]) {
      const { tables, warned } = await load(ask)
      expect([name, tables.ready(), tables.merchants(), tables.bureau()]).toEqual([name, true, merchants, null])
      expect([name, warned()]).toEqual([name, 1])
    }
  }
})

it('log one warning while the name stays the same', async () => {
  await forget()
  await load(naming('&'))
  const { tables, warned, stored } = await load(naming('&', []))
  await stored
  expect([tables.merchants(), warned()]).toEqual([[], 1])
})

it("include a bureau's name without the spaces around it", async () => {
  await forget()
  for (const ask of [naming(' Sandbox Credit Bureau '), unreachable]) {
    const { tables, warned } = await load(ask)
    expect([tables.bureau(), warned()]).toEqual([
      { name: 'Sandbox Credit Bureau', phone: '+18005550100', url: null },
      0,
    ])
  }
  await forget()
  const { tables } = await load(naming('x'.repeat(60)))
  expect(tables.bureau()?.name).toHaveLength(60)
})

it('say that there is no bureau, or leave its name out', async () => {
  for (const [bureau, expected] of [
    [{ bureau: null }, undefined],
    [{}, null],
  ] as const) {
    await forget()
    const answer: CallConnector = async () => method.answer.parse({ merchants, card_products: [], ...bureau })
    for (const ask of [answer, unreachable]) expect((await load(ask)).tables.bureau()).toBe(expected)
    const exchange = createPortsExchange({ ...testSandbox(), network: { ...network, bureau: () => expected } })
    const call = { request_id: 'tables', team_id: '', now: 0, question: {} }
    const { bureau: served, ...rest } = (await exchange('network/tables', call)) as Record<string, unknown>
    expect(served).toBe('bureau' in bureau ? null : undefined)
    expect(Object.keys(rest)).toEqual(['merchants', 'card_products'])
  }
})
