import { defaultQuestions } from '@causeway/connector/conformance/questions'
import { endpointsByPath, MAX_ANSWER_BYTES } from '@causeway/connector/methods/contract'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { Ports } from '@causeway/connector/ports/ports'
import { describe, expect, it, vi } from 'vitest'
import { call, details, payment, testSandbox } from '../../sandbox/fixtures.js'
import { loseAnswer, loseCall, wire } from '../../testing/connector/wire.js'

/** Creates a sandbox with a spy on payment submissions. */
function bank() {
  const sandbox = testSandbox()
  const submit = vi.fn(sandbox.rail.submit)
  const inside: Ports = { ...sandbox, rail: { ...sandbox.rail, submit } }
  return { inside, submit }
}
const pay = { ...call, request_id: 'pmt_1', ...payment('123456789', 'sbd_0001') }
const balance = { ...call, account: 'sbd_0001' }
const owed = { status: 'completed', amount: 521_240 }
const fault = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: OutsideError) => error,
  )

describe('every call', () => {
  it.each([...endpointsByPath.keys()].filter(path => path !== 'network/tables'))(
    "%s returns the other side's result",
    async path => {
      const { port, name } = endpointsByPath.get(path)!
      const { inside } = bank()
      const question = { ...call, ...defaultQuestions[path]! }
      const ask = (ports: Ports) =>
        (ports[port] as unknown as Record<string, (asked: unknown) => Promise<unknown>>)[name]!(question)
      expect(await ask(wire(inside).ports)).toEqual((await ask(inside)) ?? null)
    },
  )

  it('matches and discovers a person through the connector', async () => {
    const { ports } = wire(testSandbox())
    const match = await ports.identity.match({ ...call, details: details('+15125550100') })
    expect(match).toMatchObject({ matched: true })
    const { person } = match as { person: string }
    expect(await ports.network.discover({ ...call, person })).toEqual(
      await testSandbox().network.discover({ ...call, person }),
    )
  })

  it('logs the id of the request that caused the call, but does not send it', async () => {
    const sandbox = testSandbox()
    const readBalance = vi.fn(sandbox.network.balance)
    const { ports, lines, between } = wire({ ...sandbox, network: { ...sandbox.network, balance: readBalance } })
    between.push(loseCall)
    expect(await ports.network.balance({ ...balance, cause: 'req_cause' })).toEqual(owed)
    expect(readBalance.mock.calls).toEqual([[balance]])
    expect(lines.map(line => JSON.parse(line))).toMatchObject([{ event: 'connector_fault', request_id: 'req_cause' }])
  })

  it('omits fields that are not in the contract', async () => {
    const { inside } = bank()
    const more = { ...inside, network: { ...inside.network, balance: async () => ({ ...owed, secret: 1 }) as never } }
    expect(await wire(more).ports.network.balance(balance)).toEqual(owed)
  })
})

describe('an action', () => {
  it('whose response was lost is queried, not resent', async () => {
    const { inside, submit } = bank()
    const { ports, paths, between } = wire(inside)
    between.push(loseAnswer)
    expect(await ports.rail.submit(pay)).toEqual({ status: 'accepted' })
    expect(paths).toEqual(['rail/submit', 'outcome'])
    expect(submit).toHaveBeenCalledTimes(1)
  })

  it('that never arrived is resent after the connector confirms that it never arrived', async () => {
    const { inside, submit } = bank()
    const { ports, paths, between } = wire(inside)
    between.push(loseCall, loseCall)
    expect(await ports.rail.submit(pay)).toEqual({ status: 'accepted' })
    expect(paths).toEqual(['rail/submit', 'outcome', 'outcome', 'rail/submit'])
    expect(submit).toHaveBeenCalledTimes(1)
  })

  // kills: outcome-before-crash-is-queried
  it('that was sent by a crashed process is queried first', async () => {
    const { inside, submit } = bank()
    const { ports, paths } = wire(inside, ['rail/submit pmt_1'])
    expect(await ports.rail.submit(pay)).toEqual({ status: 'accepted' })
    expect(paths).toEqual(['outcome', 'rail/submit'])
    expect(await ports.rail.submit(pay)).toEqual({ status: 'accepted' })
    expect(paths.slice(2)).toEqual(['outcome'])
    expect(submit).toHaveBeenCalledTimes(1)
  })

  it('that is in progress is awaited', async () => {
    const { inside, submit } = bank()
    let finish = () => {}
    submit.mockImplementation(async () => {
      await new Promise<void>(resolve => {
        finish = resolve
      })
      return { status: 'accepted' }
    })
    const { ports, paths, between } = wire(inside)
    const wait = async (): Promise<Response> => new Promise(() => {})
    between.push(
      async forward => {
        void forward()
        return wait()
      },
      forward => forward(),
      async forward => {
        finish()
        await new Promise(setImmediate)
        return forward()
      },
    )
    expect(await ports.rail.submit(pay)).toEqual({ status: 'accepted' })
    expect(paths).toEqual(['rail/submit', 'outcome', 'outcome'])
    expect(submit).toHaveBeenCalledTimes(1)
  })

  it('is abandoned with an unknown outcome if no answer arrives for a long time', async () => {
    const { inside, submit } = bank()
    const { ports, paths, between } = wire(inside)
    between.push(loseAnswer, loseCall, loseCall, loseCall)
    expect(await fault(ports.rail.submit(pay))).toMatchObject({ outcome: 'unknown', retryable: true })
    expect(paths).toEqual(['rail/submit', 'outcome', 'outcome', 'outcome'])
    expect(submit).toHaveBeenCalledTimes(1)
  })

  it('that arrives twice runs once', async () => {
    const { inside, submit } = bank()
    const { ports, between } = wire(inside)
    between.push(async forward => {
      await forward()
      return forward()
    })
    expect(await ports.rail.submit(pay)).toEqual({ status: 'accepted' })
    expect(submit).toHaveBeenCalledTimes(1)
  })
})

describe('a response that cannot be trusted', () => {
  const html = (status: number) => async () => new Response('<h1>No</h1>', { status })
  let earlier: Response
  it.each<[string, (forward: () => Promise<Response>) => Promise<Response>]>([
    ['an error page of a proxy', html(503)],
    ['a page with status 200', html(200)],
    ['a redirect', async () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example' } })],
    [
      'a truncated response',
      async forward => {
        const answer = await forward()
        return new Response((await answer.text()).slice(0, -1), { headers: answer.headers })
      },
    ],
    [
      'a modified response',
      async forward => {
        const answer = await forward()
        return new Response((await answer.text()).replace('521240', '1'), { headers: answer.headers })
      },
    ],
    ['an unsigned response', async forward => new Response(await (await forward()).text())],
    ['a response that is too large', async () => new Response(' '.repeat(MAX_ANSWER_BYTES + 1))],
    ['no response in time', () => new Promise<Response>(() => {})],
  ])('%s: the call is repeated', async (_what, answer) => {
    const { ports, paths, between } = wire(testSandbox())
    between.push(answer)
    expect(await ports.network.balance(balance)).toEqual(owed)
    expect(paths).toEqual(['network/balance', 'network/balance'])
  })

  // kills: answer-is-for-its-call
  it('a replayed response to another call: the call is repeated', async () => {
    const { ports, paths, between } = wire(testSandbox())
    between.push(
      async forward => {
        const answer = await forward()
        earlier = answer.clone()
        return answer
      },
      async () => earlier,
    )
    await ports.network.balance({ ...balance, account: 'sbd_0002' })
    expect(await ports.network.balance(balance)).toEqual(owed)
    expect(paths).toHaveLength(3)
  })

  it('a response that does not match the contract: unknown, and the message contains none of it', async () => {
    const { inside } = bank()
    const odd = {
      ...inside,
      network: { ...inside.network, balance: async () => ({ status: 'completed', amount: '521240' }) as never },
    }
    const error = await fault(wire(odd).ports.network.balance(balance))
    expect(error).toBeInstanceOf(OutsideError)
    expect(error).toMatchObject({ outcome: 'unknown' })
    expect(error!.message).not.toMatch(/521240|sbd_/)
  })
})

describe('a rejection by the connector', () => {
  const refusing = (error: OutsideError) => {
    const { inside } = bank()
    return wire({ ...inside, rail: { ...inside.rail, submit: () => Promise.reject(error) } })
  }
  it('UNAVAILABLE: nothing was done, and the call is repeated after pauses', async () => {
    const { ports, paths, waits } = refusing(new OutsideError('the bank is closed'))
    expect(await fault(ports.rail.submit(pay))).toMatchObject({ outcome: 'nothing', retryable: true })
    expect(paths).toEqual(['rail/submit', 'rail/submit', 'rail/submit', 'rail/submit'])
    expect(waits).toEqual([100, 400, 1_600])
  })

  it('INVALID_CALL: the call is not repeated', async () => {
    const { ports, paths } = wire(testSandbox())
    const wrong = { ...call, phone: 'not a phone' }
    expect(await fault(ports.identity.sendCode(wrong))).toMatchObject({ outcome: 'nothing', retryable: false })
    expect(paths).toHaveLength(1)
  })
})
