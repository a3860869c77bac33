import { afterEach, describe, expect, it, vi } from 'vitest'
import { MAX_CPU_MS, measureCpuMs } from '../../../testing/cost.js'
import { testService } from '../../../testing/service.js'
import { checkType, readBytes, readObject } from './body.js'

const MB = 1_048_576

/** Creates a body that sends no data and fails when `end` is called. */
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
  it('are read at most 16 MB at a time; small bodies are always read', async () => {
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

describe('a body in chunks', () => {
  const inChunks = (count: number, size: number) => {
    let left = count
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left-- > 0) controller.enqueue(new Uint8Array(size).fill(0x20))
        else controller.close()
      },
    })
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
    return new Request('http://127.0.0.1/', init)
  }

  it('is rejected if it has too many of them for its size', async () => {
    const few = 'The body must arrive in at most'
    await expect(readBytes(inChunks(5_000, 1))).rejects.toThrow(
      `${few} 4,352 chunks. Send larger chunks, or send the body with a Content-Length header.`,
    )
    await expect(readBytes(inChunks(300, 1), { most: 4_096 })).rejects.toThrow(`${few} 272 chunks.`)
    expect(await readBytes(inChunks(4_000, 250))).toHaveLength(1_000_000)
    expect(await readBytes(inChunks(256, 1), { most: 4_096 })).toHaveLength(256)
  })
})

describe('an interrupted body', async () => {
  const service = await testService()

  it('leaves its idempotency key unused', async () => {
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

describe('a body rejected for its structure', async () => {
  const service = await testService()
  afterEach(() => vi.restoreAllMocks())

  const tooMany = 'The body must have at most 20,000 values.'
  it.each([
    ['values', `{"a":[${'0,'.repeat(20_000)}0]}`, tooMany],
    ['fields', `{${Array.from({ length: 20_001 }, (_, each) => `"f${each}":0`).join()}}`, tooMany],
    ['lists', `{"a":[${'[],'.repeat(20_000)}[]]}`, tooMany],
    ['levels', `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 'The body must be nested at most 32 levels deep.'],
  ])('has too many %s, and is not parsed', (_what, text, message) => {
    const parse = vi.spyOn(JSON, 'parse')
    expect(() => readObject(text)).toThrow(message)
    expect(parse).not.toHaveBeenCalled()
  })

  it.each([
    ['20,000 values', `{"a":[${`[${'0,'.repeat(997)}0],`.repeat(19)}[${'0,'.repeat(977)}0]]}`],
    ['a long text with the characters of lists', JSON.stringify({ a: '[{,"\\'.repeat(20_000) })],
    ['32 levels', `{"b":"${'x'.repeat(40_000)}","a":${'['.repeat(31)}${']'.repeat(31)}}`],
  ])('is not one with %s', (_what, text) => {
    expect(readObject(text)).toEqual(JSON.parse(text))
  })

  it.each([
    ['items in a list', `{"a":{"b":[${'0,'.repeat(1_000)}0]}}`, 'a.b must have at most 1,000 items.'],
    [
      'fields in an object',
      `{"a":[{${Array.from({ length: 1_001 }, (_, each) => `"f${each}":0`).join()}}]}`,
      'a[0] must have at most 1,000 fields.',
    ],
  ])('has too many %s', (_what, text, message) => {
    expect(() => readObject(text)).toThrow(message)
  })

  it('is parsed as often as a valid body', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    const parses = async (text: string) => {
      parse.mockClear()
      const { status } = await service.call('PATCH', '/team', text)
      return [status, parse.mock.calls.filter(([parsed]) => parsed === text).length]
    }
    const [, good] = await parses('{"name": "Harbor Credit"}')
    expect(await parses('{"name": nothing}')).toEqual([400, good])
  })
})

describe('Content-Type', () => {
  const isJson = (type: string) => {
    try {
      checkType(type, undefined)
      return true
    } catch {
      return false
    }
  }

  it.each([
    'application/json',
    'Application/JSON; Charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/problem+json ; charset = utf8 ;',
    `application/${'v'.repeat(180)}+json`,
  ])('accepts JSON in UTF-8: %s', type => {
    expect(isJson(type)).toBe(true)
  })

  it.each([
    '',
    'text/json',
    'application/jsonp',
    'application/json; charset=latin1',
    'application/json; charset=utf-8, text/plain',
    'application/+json',
    `application/${'v'.repeat(190)}+json`,
  ])('rejects another type or charset, or a longer one: %s', type => {
    expect(isJson(type)).toBe(false)
  })

  it.each([
    ['spaces', `application/json${' '.repeat(20_000)}x`],
    ['spaces in a parameter', `application/json;${' '.repeat(20_000)}charset${' '.repeat(20_000)}x`],
    ['semicolons', `application/json${' ;'.repeat(20_000)}x`],
    ['a long name', `application/${'v+'.repeat(20_000)}json`],
  ])('is checked in time proportional to its length: %s', async (_, type) => {
    expect(await measureCpuMs(() => isJson(type))).toBeLessThan(MAX_CPU_MS)
  })
})
