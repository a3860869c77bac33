import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestService, testService } from '../../testing/service.js'
import { readBytes } from './body.js'

const MB = 1_048_576

/** A body of which nothing comes until it is ended. */
function slow(size: number) {
  let end = () => {}
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      end = () => controller.error(new Error('reset'))
    },
  })
  const headers = { 'content-length': String(size) }
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body: stream, headers, duplex: 'half' }
  return { request: new Request('http://127.0.0.1/', init), end: () => end() }
}

describe('large bodies', () => {
  it('are waited for 16 MB at a time, and small ones always', async () => {
    const waiting = Array.from({ length: 16 }, () => slow(MB))
    const reads = waiting.map(({ request }) => readBytes(request))
    await expect(readBytes(slow(65_537).request)).rejects.toMatchObject({
      subType: 'SERVICE_UNAVAILABLE',
      headers: { 'Retry-After': '1' },
    })
    const small = new Request('http://127.0.0.1/', { method: 'POST', body: 'x', headers: { 'content-length': '1' } })
    expect(await readBytes(small)).toBe('x')
    for (const { end } of waiting) end()
    for (const read of reads)
      await expect(read).rejects.toMatchObject({
        subType: 'INVALID_REQUEST',
        message: expect.stringContaining('The connection closed before the whole body arrived'),
      })
    const text = 'x'.repeat(MB)
    expect(await readBytes(new Request('http://127.0.0.1/', { method: 'POST', body: text }))).toBe(text)
  })
})

describe('a body that breaks off', () => {
  let service: TestService
  beforeAll(async () => {
    service = await testService()
  })
  afterAll(() => service.stop())

  it('leaves its idempotency key free', async () => {
    const key = { 'idempotency-key': 'broken-1' }
    const { request, end } = slow(100)
    for (const [name, value] of Object.entries({ ...key, authorization: `Bearer ${service.key}` }))
      request.headers.set(name, value)
    const url = new Request('http://127.0.0.1:4000/entities', request)
    setImmediate(end)
    expect((await service.app.api.fetch(url)).status).toBe(400)
    const made = await service.call('POST', '/entities', { type: 'individual', individual: {} }, key)
    expect([made.status, made.headers.get('idempotency-replayed')]).toEqual([200, null])
  })
})
