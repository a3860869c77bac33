import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  MAX_HEIGHT,
  MAX_MESSAGE_LENGTH,
  MIN_HEIGHT,
  PROTOCOL,
  readHandle,
  readHello,
  readInit,
  readTheme,
  readToFrame,
  readToHost,
} from './frame.js'

const handle = 'AbCd1234EfGh5678'
const token = `pk_elem_${handle}${'s'.repeat(33)}`
const init = { causeway: 'init', v: PROTOCOL, n: 'nonce', mode: 'connect', display: 'modal', locale: 'es', theme: {} }

describe('readHandle', () => {
  it('finds the handle in both kinds of token', () => {
    expect(readHandle(token)).toBe(handle)
    expect(readHandle(`otkn_${handle}${'s'.repeat(33)}`)).toBe(handle)
  })
  it.each([token.slice(0, -1), `${token}x`, `sk_${handle}`, ` ${token}`, `${token}\n`, null, 7])(
    'finds none in %j',
    value => expect(readHandle(value)).toBeNull(),
  )
})

describe('the greeting', () => {
  it('is read with its version and nonce', () =>
    expect(readHello({ causeway: 'hello', v: 1, n: 'abc', extra: true })).toEqual({
      causeway: 'hello',
      v: 1,
      n: 'abc',
    }))
  it('is rejected with a nonce that is not a short string', () => {
    expect(readHello({ causeway: 'drawn', v: 1, n: 'abc' })).toEqual({ causeway: 'drawn', v: 1, n: 'abc' })
    expect(readHello({ causeway: 'other', v: 1, n: 'abc' })).toBeNull()
    expect(readHello({ causeway: 'hello', v: 1, n: 'x'.repeat(65) })).toBeNull()
    expect(readHello({ causeway: 'hello', v: 1, n: 5 })).toBeNull()
  })
})

describe('init', () => {
  it('is read, and a missing style is null', () =>
    expect(readInit(init)).toEqual({ ...init, appearance: null, hidden: false }))
  it('is rejected if the protocol version is not supported', () => expect(readInit({ ...init, v: 99 })).toBeNull())
  it('can be for a token of any mode', () => expect(readInit({ ...init, mode: null })).toMatchObject({ mode: null }))
  it('is rejected with an unknown mode or display', () => {
    expect(readInit({ ...init, mode: 'card' })).toBeNull()
    expect(readInit({ ...init, mode: undefined })).toBeNull()
    expect(readInit({ ...init, display: 'popup' })).toBeNull()
  })
  it('drops a locale that is not a language tag', () =>
    expect(readInit({ ...init, locale: '"><script>' })?.locale).toBeNull())
})

describe('a theme', () => {
  it('keeps well-formed values and drops the rest', () =>
    expect(
      readTheme({ accent: '#0a5', surface: '#00AA55', text: 'red', surface_dark: 'url(//evil)', radius: 8, font: 'x' }),
    ).toEqual({ accent: '#0a5', surface: '#00AA55', radius: 8 }))
  it.each([-1, 25, 4.5, '8'])('drops a radius of %j', radius => expect(readTheme({ radius })).toEqual({}))
})

describe('messages to the host', () => {
  it.each([
    [Number.MAX_SAFE_INTEGER, MAX_HEIGHT],
    [-5, MIN_HEIGHT],
    [400.2, 401],
  ])('clamp a height of %d to %d', (height, expected) =>
    expect(readToHost({ type: 'resize', height })).toEqual({ type: 'resize', height: expected }),
  )
  it('ignore a height that is not a finite number', () => {
    expect(readToHost({ type: 'resize', height: Number.NaN })).toBeNull()
    expect(readToHost({ type: 'resize', height: '400' })).toBeNull()
  })
  it('ignore an unknown type', () => expect(readToHost({ type: 'navigate', url: '//evil' })).toBeNull())
  it('ignore a message over the size limit', () => {
    const message = (text: string) => ({ type: 'event', event: { type: 'a', timestamp: 't', data: { text } } })
    const room = MAX_MESSAGE_LENGTH - JSON.stringify(message('')).length
    expect(readToHost(message('x'.repeat(room)))).not.toBeNull()
    expect(readToHost(message('x'.repeat(room + 1)))).toBeNull()
  })
  it('ignore a success without ids', () => {
    const success = { type: 'success', session_id: 'osess_1', entity_id: 'ent_1', accounts: ['acc_1'], result: null }
    expect(readToHost(success)).toEqual(success)
    expect(readToHost({ ...success, accounts: ['<b>'] })).toBeNull()
    expect(readToHost({ ...success, session_id: null })).toBeNull()
  })
  it('mark an error as recoverable only if it explicitly says so', () => {
    const error = { type: 'error', error_type: 'API_ERROR', sub_type: 'X', message: 'm', request_id: null }
    expect(readToHost(error)).toEqual({ ...error, recoverable: false })
    expect(readToHost({ ...error, recoverable: 'yes' })).toMatchObject({ recoverable: false })
  })
  it('ignore confirmed amounts that are not whole cents', () => {
    const confirmed = { type: 'allocations.confirmed', session_id: 'osess_1', entity_id: 'ent_1', residual_amount: 0 }
    expect(readToHost({ ...confirmed, allocations: { acc_1: 100 } })).not.toBeNull()
    expect(readToHost({ ...confirmed, allocations: { acc_1: 1.5 } })).toBeNull()
  })
})

describe('messages to the frame', () => {
  it('carry a well-formed token or none', () => {
    expect(readToFrame({ type: 'auth.token', token })).toEqual({ type: 'auth.token', token })
    for (const type of ['leave', 'close']) expect(readToFrame({ type, more: 1 })).toEqual({ type })
    expect(readToFrame({ type: 'auth.token', token: null })).toEqual({ type: 'auth.token', token: null })
    expect(readToFrame({ type: 'auth.token', token: 'sk_secret' })).toBeNull()
  })
  it('set only the fields that they contain', () => {
    expect(readToFrame({ type: 'set', appearance: 'dark' })).toEqual({ type: 'set', appearance: 'dark' })
    expect(readToFrame({ type: 'set', appearance: 'neon', locale: null })).toEqual({
      type: 'set',
      appearance: null,
      locale: null,
    })
  })
})

const anything = fc.oneof(
  fc.anything(),
  fc.record(
    { type: fc.constantFrom('event', 'resize', 'success', 'error', 'set', 'auth.token') },
    { noNullPrototype: true },
  ),
  fc
    .tuple(fc.constantFrom('resize', 'set', 'success', 'error', 'allocations.confirmed'), fc.object())
    .map(([type, rest]) => ({ ...rest, type })),
)

it('a reader never throws, and accepts its own output unchanged', () =>
  fc.assert(
    fc.property(anything, value => {
      for (const read of [readToHost, readToFrame, readInit, readHello]) {
        const once = read(value)
        if (once !== null) expect(read(once)).toEqual(once)
      }
    }),
    { numRuns: 1_000 },
  ))

it('a value that is circular or not serializable as JSON is ignored', () => {
  const loop: Record<string, unknown> = { type: 'ready' }
  loop['self'] = loop
  expect(readToHost(loop)).toBeNull()
  expect(readToHost({ type: 'ready', big: 1n })).toBeNull()
})
