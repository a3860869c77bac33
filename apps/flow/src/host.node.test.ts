import { type Init, MAX_MESSAGES_PER_SECOND, type ToFrame, type ToHost } from '@causeway/contract/frame'
import { describe, expect, test } from 'vitest'
import { createHost, isAllowed, type StartOptions } from './host.js'

const nonce = 'a1'.repeat(16)
const init: Init = {
  causeway: 'init',
  v: 1,
  n: nonce,
  mode: 'connect',
  display: 'modal',
  locale: 'en-US',
  appearance: null,
  theme: {},
  hidden: false,
}

/** Creates the parts of a framed window that the channel uses. */
function framed(
  over: {
    hash?: string
    referrer?: string
    origins?: string
    top?: boolean
    state?: unknown
    ancestorOrigins?: string[]
  } = {},
) {
  const posted: { message: unknown; origin: string }[] = []
  const replaced: { state: unknown; url: string }[] = []
  const parent = { postMessage: (message: unknown, origin: string) => posted.push({ message, origin }) }
  const target = new EventTarget()
  const window = {
    location: {
      hash: over.hash ?? `#n=${nonce}`,
      pathname: '/e/handle',
      search: '',
      ancestorOrigins: over.ancestorOrigins,
    },
    history: {
      state: over.state ?? null,
      replaceState: (state: unknown, _title: string, url: string) => replaced.push({ state, url }),
    },
    document: {
      referrer: over.referrer ?? 'https://lender.example/page?x=1',
      querySelector: () => ({ getAttribute: () => over.origins ?? 'https://lender.example' }),
    },
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
    parent: null as unknown,
  }
  window.parent = over.top ? window : parent
  const got: (StartOptions | ToFrame)[] = []
  const host = createHost(window as unknown as Window, {
    onInit: message => got.push(message),
    onMessage: message => got.push(message),
  })
  const say = (over2: Record<string, unknown> = {}) => {
    const { port1, port2 } = new MessageChannel()
    const event = Object.assign(new Event('message'), {
      source: parent,
      origin: 'https://lender.example',
      data: init,
      ports: [port2],
      ...over2,
    })
    target.dispatchEvent(event)
    return port1
  }
  return { host, posted, replaced, got, say }
}

describe('hello', () => {
  test("goes to the parent's exact origin if it is on the list", () => {
    const { host, posted } = framed()
    host.open()
    expect(posted).toEqual([{ message: { causeway: 'hello', v: 1, n: nonce }, origin: 'https://lender.example' }])
  })

  test('removes the nonce from the URL, and still has it after a reload', () => {
    expect(framed().replaced).toEqual([{ state: { n: nonce, o: '' }, url: '/e/handle' }])
    const { host, posted } = framed({ hash: '', state: { n: nonce } })
    host.open()
    expect(posted).toHaveLength(1)
  })

  test.each([
    ['an origin that is not listed', { origins: 'https://other.example' }, 'not_allowed'],
    ['an origin that only begins like a listed one', { referrer: 'https://lender.example.evil.test/' }, 'not_allowed'],
    ['no list', { origins: '' }, 'not_allowed'],
    [
      'an origin that the browser states and that is not listed',
      { ancestorOrigins: ['https://evil.test'] },
      'not_allowed',
    ],
    ['a stated origin that is not listed', { referrer: '', hash: `#n=${nonce}&o=https://evil.test` }, 'not_allowed'],
    ['no referrer on this machine, and no stated origin', { referrer: '', origins: 'loopback' }, 'not_allowed'],
    ['a nonce that is too short', { hash: '#n=abc' }, 'no_parent'],
    ['no nonce', { hash: '' }, 'no_parent'],
    ['no parent', { top: true }, 'no_parent'],
  ])('is not sent with %s', (_name, over, refused) => {
    const { host, posted } = framed(over)
    host.open()
    expect(host.refused).toBe(refused)
    expect(posted).toEqual([])
  })

  test.each([
    ['the origin that the browser states', { ancestorOrigins: ['https://lender.example', 'https://top.example'] }],
    ['the origin that the page states', { hash: `#n=${nonce}&o=https%3A%2F%2Flender.example` }],
    ['the only listed origin', {}],
  ])('goes to %s if there is no referrer', (_name, over) => {
    const { host, posted, got, say } = framed({ referrer: '', ...over })
    host.open()
    expect(posted.map(({ origin }) => origin)).toEqual(['https://lender.example'])
    expect([host.refused, host.origin]).toEqual([null, null])
    say()
    expect([got, host.origin]).toEqual([[init], 'https://lender.example'])
  })

  test('goes to each listed origin, and never to all, if no origin is known', () => {
    const list = ['https://a.example', 'https://b.example']
    const { host, posted, got, say } = framed({ referrer: '', origins: list.join(' ') })
    host.open()
    expect(posted.map(({ origin }) => origin)).toEqual(list)
    say({ origin: 'https://evil.test' })
    expect(got).toEqual([])
    say({ origin: 'https://b.example' })
    expect(host.origin).toBe('https://b.example')
  })

  test('goes to the origin that the page states if the browser sends a false referrer', () => {
    const over = { referrer: 'https://frame.example/e/handle', hash: `#n=${nonce}&o=http://localhost:4300` }
    const { host, posted } = framed({ ...over, origins: 'loopback' })
    host.open()
    expect(posted.map(({ origin }) => origin)).toEqual(['http://localhost:4300'])
  })

  test('loopback means this machine on any port, and nothing else', () => {
    for (const origin of ['http://localhost:4300', 'http://127.0.0.1', 'https://a.localhost:1', 'http://[::1]:8080'])
      expect(isAllowed(origin, ['loopback'])).toBe(true)
    for (const origin of ['http://localhost.evil.test', 'http://10.0.0.1', 'https://example.com', 'null'])
      expect(isAllowed(origin, ['loopback'])).toBe(false)
    expect(isAllowed('http://localhost:4300', ['https://lender.example'])).toBe(false)
  })
})

describe('init', () => {
  test('is accepted once, and only from the parent, from its origin, with the right nonce', () => {
    const { host, got, say } = framed()
    host.open()
    say({ source: {} })
    say({ origin: 'https://evil.test' })
    say({ data: { ...init, n: 'b2'.repeat(16) } })
    say({ data: { ...init, v: 99 } })
    say({ ports: [] })
    expect(got).toEqual([])
    say()
    say()
    expect(got).toEqual([init])
  })

  test('counts unreadable messages, and drops a flood of messages, before and after it arrives', async () => {
    const { host, got, say } = framed()
    host.open()
    say({ source: {}, data: { ...init, n: 'of a stranger' } })
    expect(host.dropped).toBe(0)
    say({ data: { ...init, n: 'b2'.repeat(16) } })
    const port = say()
    expect(host.dropped).toBe(1)
    const read = () => got.length - 1 + host.dropped
    port.postMessage({ type: 'nonsense' })
    for (let i = 0; i < 3 * MAX_MESSAGES_PER_SECOND; i++) port.postMessage({ type: 'set', appearance: 'dark' })
    await expect.poll(read).toBe(3 * MAX_MESSAGES_PER_SECOND + 2)
    // The rate limit also counts the two init messages and the invalid message. A second rate-limit window may also
    // have begun.
    expect(got.length - 1).toBeGreaterThanOrEqual(MAX_MESSAGES_PER_SECOND - 3)
    expect(got.length - 1).toBeLessThanOrEqual(2 * MAX_MESSAGES_PER_SECOND - 3)
    port.close()
  })

  test('moves both sides to the port, and loses no early message', async () => {
    const { host, got, say } = framed()
    host.open()
    host.send({ type: 'ready' })
    const port = say()
    const heard: ToHost[] = []
    const both = new Promise<void>(resolve => {
      port.onmessage = ({ data }) => {
        heard.push(data)
        if (heard.length === 2) resolve()
      }
    })
    host.send({ type: 'resize', height: 300 })
    await both
    expect(heard).toEqual([{ type: 'ready' }, { type: 'resize', height: 300 }])
    const closed = new Promise<void>(resolve => {
      const timer = setInterval(() => {
        if (got.length === 2) {
          clearInterval(timer)
          resolve()
        }
      }, 1)
    })
    port.postMessage({ type: 'nonsense' })
    port.postMessage({ type: 'close' })
    await closed
    expect(got.at(-1)).toEqual({ type: 'close' })
    port.close()
  })
})
