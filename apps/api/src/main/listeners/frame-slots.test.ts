import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { randomText } from '../../platform/crypto/random.js'
import { arrive, HOST, newToken } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'
import { closeListener, listen, portOf } from './listen.js'

/** The maximum number of a team's requests that may wait for a slot. */
const MAX_WAITING = 1_000

type Call = 'sendCode' | 'checkCode' | 'match'
/** Runs before the service calls a method of the identity port. */
let before = async (_call: Call) => {}
const service = await testService({
  ports: ports => ({
    ...ports,
    identity: {
      ...ports.identity,
      async sendCode(call) {
        await before('sendCode')
        return ports.identity.sendCode(call)
      },
      async checkCode(call) {
        await before('checkCode')
        return ports.identity.checkCode(call)
      },
      async match(call) {
        await before('match')
        return ports.identity.match(call)
      },
    },
  }),
})
const server = await listen((incoming, env) => service.app.frame.fetch(incoming, env), '127.0.0.1', 0)
afterAll(() => closeListener(server))
afterEach(() => {
  vi.restoreAllMocks()
  expect(service.deps.admission.counts()).toEqual({ running: 0, waiting: 0 })
})

/** Sends a request over a connection of its own. */
async function send(method: string, path: string, { bearer = '', body }: { bearer?: string; body?: object } = {}) {
  const sent = request({
    port: portOf(server),
    host: '127.0.0.1',
    method,
    path,
    agent: new Agent({ keepAlive: false }),
    headers: {
      origin: service.deps.frameOrigin,
      'content-type': 'application/json',
      ...(bearer && { authorization: `Bearer ${bearer}` }),
    },
  })
  sent.end(body && JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const json = JSON.parse(await text(response))
  return { status: response.statusCode, retryAfter: response.headers['retry-after'], json }
}

const newPerson = () => arrive(service, '+15125550101')

/** Occupies every slot and every place in the team's queue. @returns a function that frees them */
async function occupy(): Promise<() => Promise<void>> {
  const { admission } = service.deps
  const enter = async () => admission.enter(service.team)
  const turns = await Promise.all(Array.from({ length: service.store.width }, enter))
  const waiting = Array.from({ length: MAX_WAITING }, async () => (await enter()).end())
  return async () => {
    for (const turn of turns) turn.end()
    await Promise.all(waiting)
  }
}

describe('calls of the frame', () => {
  it('without a free slot return 503 with Retry-After, and succeed when they are repeated', async () => {
    const token = await newToken(service)
    const [person, opened, leaving] = [await newPerson(), await newPerson(), await newPerson()]
    const { revision } = person.view
    const input = { action: 'accept', documents: person.data('consent').documents, locale: 'en' }
    const calls = () =>
      Promise.all([
        send('POST', '/s/redeem', { body: { token, exchange_id: exchange, origin: HOST, mode: null } }),
        send('GET', '/s', { bearer: opened.bearer }),
        send('POST', '/s/open', { bearer: opened.bearer }),
        send('POST', '/s/steps/consent', { bearer: person.bearer, body: { revision, input } }),
        send('POST', '/s/exit', { bearer: leaving.bearer }),
        send('GET', '/s/export', { bearer: leaving.bearer }),
      ])
    const exchange = randomText(24)
    const free = await occupy()
    const write = vi.spyOn(service.store, 'write')
    for (const { status, retryAfter, json } of await calls()) {
      expect([status, retryAfter]).toEqual([503, '1'])
      expect(json.error.sub_type).toBe('SERVICE_UNAVAILABLE')
    }
    expect(write).not.toHaveBeenCalled()
    await free()
    // Only the person's own page offers a download.
    expect((await calls()).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 403])
  })

  it('take at most as many slots as there are, even if 200 arrive at once', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, newPerson))
    const { admission, store } = service.deps
    const enter = vi.spyOn(admission, 'enter')
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) => send('GET', '/s', { bearer: people[index % people.length]!.bearer })),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(enter).toHaveBeenCalledTimes(200)
    expect(store.width).toBeLessThan(200)
  })

  it.each<Call>(['sendCode', 'checkCode', 'match'])(
    'occupy no slot while they wait for %s or for an earlier call of the session',
    async method => {
      // The flow asks this person for a date of birth, because the first match fails.
      const person = await arrive(service, '+15125550102')
      let answer = () => {}
      const called = new Promise<void>(resolve => {
        before = async call => {
          if (call !== method) return
          resolve()
          await new Promise<void>(done => {
            answer = done
          })
        }
      })
      const arriving = person.arriveAtAccounts()
      await called
      const { admission } = service.deps
      await vi.waitUntil(() => admission.counts().running === 0)
      const enter = vi.spyOn(admission, 'enter')
      const second = send('GET', '/s', { bearer: person.bearer })
      await vi.waitUntil(() => enter.mock.calls.length === 1)
      await vi.waitUntil(() => admission.counts().running === 0)
      before = async () => {}
      answer()
      await arriving
      expect(person.view.step).toBe('details')
      expect((await second).status).toBe(200)
    },
  )
})
