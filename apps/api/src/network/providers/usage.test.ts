import { UnknownMethodError } from '@causeway/connector/http/exchange'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import { RejectedKeyError } from '@causeway/connector/provider/guarded-fetch'
import { HOUR_MS } from '@causeway/contract/time'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../platform/db/types.js'
import { testService } from '../../testing/service.js'
import { createProviderUsage } from './usage.js'

const service = await testService()
const { clock } = service.deps
const events: string[] = []
const startProcess = (store: Store = service.store) =>
  createProviderUsage({ store, log: (_, event) => events.push(event), clock })
const hour = clock() - (clock() % HOUR_MS)
const read = () => service.store.reader.selectFrom('provider_usage').selectAll().orderBy('hour').execute()

beforeEach(async () => {
  events.length = 0
  await service.store.write(tx => tx.deleteFrom('provider_usage').execute())
})

const refused = { outcome: 'nothing', retryable: false } as const

describe('the usage of a provider', () => {
  it('adds up over processes, and names the last failure', async () => {
    const one = startProcess()
    const other = startProcess()
    one.countCall('bank', 'rail/submit')
    other.countCall('bank', 'rail/submit', new OutsideError('Bank did not answer.'))
    const at = clock()
    service.advance(1_000)
    one.countCall('bank', 'rail/status', new RejectedKeyError('Bank'))
    one.countHook('bank')
    await one.flush()
    await other.flush()
    expect(await read()).toEqual([
      {
        ...{ provider: 'bank', hour, calls: 3, failures: 2, hooks: 1 },
        ...{ failed_at: at + 1_000, failure: 'rejected_key', failed_path: 'rail/status' },
      },
    ])
  })

  it('keeps the last failure through later calls that succeed', async () => {
    const usage = startProcess()
    usage.countCall('bank', 'rail/submit', new OutsideError('Bank did not answer.'))
    await usage.flush()
    usage.countCall('bank', 'rail/status')
    await usage.flush()
    expect(await read()).toMatchObject([{ calls: 2, failures: 1, failure: 'no_answer', failed_path: 'rail/submit' }])
  })

  it('is stored by hour', async () => {
    const usage = startProcess()
    usage.countCall('bank', 'rail/submit')
    service.advance(HOUR_MS)
    usage.countCall('bank', 'rail/submit')
    await usage.flush()
    expect((await read()).map(row => row.hour)).toEqual([hour, hour + HOUR_MS])
  })

  it.each<[string, string, unknown, string | null]>([
    ['a rejected request', 'rail/submit', new OutsideError('', refused), 'refused'],
    ['a limit', 'rail/submit', new OutsideError('', { outcome: 'nothing' }), 'busy'],
    ['a required method that is missing', 'rail/submit', new UnknownMethodError('', refused), 'unknown_method'],
    ['an optional method that is missing', 'rail/managed_accounts', new UnknownMethodError('', refused), null],
    ['an error of our own', 'rail/submit', new TypeError('x'), 'internal'],
  ])('counts %s', async (_, path, error, failure) => {
    const usage = startProcess()
    usage.countCall('bank', path, error)
    await usage.flush()
    expect(await read()).toMatchObject([{ calls: 1, failures: failure === null ? 0 : 1, failure }])
  })

  it('is stored after a failure of the store, with the calls since', async () => {
    let isBroken = true
    const usage = startProcess({
      ...service.store,
      write: work => (isBroken ? Promise.reject(new Error('The disk is full.')) : service.store.write(work)),
    })
    usage.countCall('bank', 'rail/submit', new OutsideError(''))
    await usage.flush()
    expect(events).toEqual(['provider_usage_not_stored'])
    isBroken = false
    usage.countCall('bank', 'rail/submit')
    await usage.flush()
    expect(await read()).toMatchObject([{ calls: 2, failures: 1, failure: 'no_answer' }])
  })

  it('is stored when the process stops, and not written again without calls', async () => {
    let writes = 0
    const usage = startProcess({
      ...service.store,
      write: work => {
        writes++
        return service.store.write(work)
      },
    })
    const stop = usage.start()
    usage.countCall('bank', 'rail/submit')
    await stop()
    await usage.flush()
    expect(await read()).toMatchObject([{ calls: 1 }])
    expect(writes).toBe(1)
  })
})
