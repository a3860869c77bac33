import { UnknownMethodError } from '@causeway/connector/http/exchange'
import { endpointsByPath } from '@causeway/connector/methods/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../../platform/log.js'
import { testService } from '../../testing/service.js'
import { createServedRoutes, routeAll } from '../providers/routing.js'
import { type CallConnector, createConnectorCaller } from './ask.js'
import { loadCapabilities } from './capabilities.js'

const service = await testService()
const unreachable: CallConnector = () => Promise.reject(new Error('unreachable'))
const listing =
  (...methods: string[]): CallConnector =>
  async () => ({ methods })

let lines: string[]
beforeEach(async () => {
  lines = []
  await service.store.write(tx => tx.deleteFrom('settings').where('name', '=', 'connector_capabilities').execute())
})

async function load(ask: CallConnector) {
  const log = createLog(line => lines.push(line), Date.now)
  const capabilities = await loadCapabilities(ask, service.store, { clock: Date.now, log })
  capabilities.stop()
  return [...createServedRoutes(routeAll('connector'), capabilities.paths)().keys()]
}

describe('a connector serves', () => {
  it('the methods that it lists, and no unknown ones', async () => {
    expect(await load(listing('rail/submit', 'rail/later'))).toEqual(['rail/submit'])
  })

  it('the methods that it listed last, while it cannot be reached', async () => {
    await load(listing('rail/submit'))
    expect(await load(unreachable)).toEqual(['rail/submit'])
    expect(lines.join()).toContain('connector_capabilities_unreadable')
  })

  it('every method if it was never reached', async () => {
    expect(await load(unreachable)).toHaveLength(endpointsByPath.size)
  })

  it('every method if it has no list, which is not a fault', async () => {
    const exchange = () =>
      Promise.reject(new UnknownMethodError('no such method', { outcome: 'nothing', retryable: false }))
    const log = createLog(line => lines.push(line), Date.now)
    const sentCalls = { recordSend: async () => false }
    expect(await load(createConnectorCaller({ exchange, sentCalls, log, sleep: async () => {} }))).toHaveLength(
      endpointsByPath.size,
    )
    expect(lines).toEqual([])
  })
})
