import { describe, expect, it } from 'vitest'
import { arrive } from '../../testing/frame.js'
import { type TestService, testService } from '../../testing/service.js'
import { createFrame } from './app.js'
import { noAssets } from './assets.js'

/** Sends a request to the frame listener as an unauthenticated client could, to test the listener's limits. */
const send = async (
  service: TestService,
  path: string,
  body: string | ReadableStream<Uint8Array> | null,
  more: { remoteAddress?: string; authorization?: string } = {},
) => {
  const init: RequestInit = { method: body === null ? 'GET' : 'POST', body }
  if (body instanceof ReadableStream) Object.assign(init, { duplex: 'half' })
  if (more.authorization) init.headers = { authorization: more.authorization }
  const request = new Request(`http://localhost:4100${path}`, init)
  if (typeof body === 'string') request.headers.set('content-length', String(Buffer.byteLength(body)))
  const { remoteAddress } = more
  // Uses a plain app, because the service's app is instrumented to read every body to the end.
  const response = await createFrame(service.deps, noAssets).fetch(
    request,
    remoteAddress ? { incoming: { socket: { remoteAddress } } } : {},
  )
  return { status: response.status, text: await response.text(), retry: response.headers.get('retry-after') }
}

describe('a body', async () => {
  const service = await testService()

  const streamed = (size: number) => {
    let left = size
    let pulls = 0
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls += 1
        left -= 1_024
        controller.enqueue(new Uint8Array(1_024).fill(120))
        if (left <= 0) controller.close()
      },
    })
    return { stream, pulls: () => pulls }
  }

  it('of a redemption over 4 kB is rejected before it is parsed, whether or not its length is declared', async () => {
    expect(await send(service, '/s/redeem', 'x'.repeat(4_097))).toMatchObject({
      status: 413,
      text: expect.stringContaining('at most 4 kB'),
    })
    expect((await send(service, '/s/redeem', 'x'.repeat(4_096))).status).toBe(400)
    const { stream, pulls } = streamed(1_048_576)
    expect((await send(service, '/s/redeem', stream)).status).toBe(413)
    expect(pulls()).toBeLessThan(10)
  })

  it('of a step over 64 kB is rejected before it is parsed', async () => {
    const { bearer } = await arrive(service, '+15125550101')
    const step = (size: number) =>
      send(service, '/s/steps/consent', 'x'.repeat(size), { authorization: `Bearer ${bearer}` })
    expect(await step(65_537)).toMatchObject({ status: 413, text: expect.stringContaining('at most 64 kB') })
    expect((await step(65_536)).status).toBe(400)
  })
})

describe('requests from one network to the frame listener', async () => {
  const service = await testService({ rateLimits: 0.05 })

  it('that redeem over the limit return 429 with Retry-After, before their body is read', async () => {
    const statuses: number[] = []
    for (let each = 0; each < 8; each += 1)
      // All addresses in a /64 count as one network.
      statuses.push((await send(service, '/s/redeem', '{', { remoteAddress: `2001:db8::${each}` })).status)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 429, 429])
    const refused = await send(service, '/s/redeem', 'x'.repeat(9_000), { remoteAddress: '2001:db8::9' })
    expect([refused.status, refused.retry]).toEqual([429, '60'])
    expect((await send(service, '/s/redeem', '{', { remoteAddress: '2001:db8:0:1::' })).status).toBe(400)
  })

  it('that look up tokens and bearers over their limit return 429', async () => {
    const remoteAddress = '192.0.2.1'
    for (let each = 0; each < 300; each += 1)
      await send(service, each % 2 ? '/s' : `/e/${'x'.repeat(16)}`, null, { remoteAddress })
    for (const path of ['/s', `/e/${'x'.repeat(16)}`, `/h/${'x'.repeat(16)}`, `/logo/${'x'.repeat(16)}`])
      expect([path, await send(service, path, null, { remoteAddress })]).toMatchObject([
        path,
        { status: 429, retry: '60' },
      ])
    expect((await send(service, '/s', null, { remoteAddress: '192.0.2.2' })).status).toBe(401)
  })
})
