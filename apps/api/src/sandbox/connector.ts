import { createConnector, type ServeDeps } from '@causeway/connector/http/serve'
import { digest } from './digest.js'
import { createSandbox } from './sandbox.js'

/** The faults that the example connector injects to test the service. Probabilities range from 0 to 1. */
export interface FaultRates {
  /** The maximum delay of a response, in ms. Delays put the responses to simultaneous calls in random order. */
  slow: number
  /** The probability that a call is delivered twice and gets the previous call's response. */
  twice: number
  /**
   * The probability that a call gets no response. The cause cycles through three faults: the call never arrives, its
   * response is lost, or the connection hangs.
   */
  silent: number
  /** The probability that a response is broken: either truncated, or replaced with a proxy's error page. */
  broken: number
  /** The maximum number of consecutive faults for one request id. The next call then gets a response. */
  inARow: number
}

/** The number of faults of each kind. Tests check these numbers, because a run without faults proves nothing. */
export interface FaultCounts {
  calls: number
  /** Responses that were sent before the response to an earlier call from the same team. */
  overtaken: number
  twice: number
  /** Calls that never arrived. */
  dropped: number
  /** Responses that were lost. */
  lost: number
  hung: number
  broken: number
}

export const noFaults: FaultRates = { slow: 0, twice: 0, silent: 0, broken: 0, inARow: Infinity }

export interface ExampleDeps extends Omit<ServeDeps, 'ports'> {
  sleep(ms: number): Promise<void>
  /** Simulates the response time of the sandbox's slow institutions. */
  wait(ms: number): Promise<void>
  faults: FaultRates
  /** The same seed produces the same faults if the calls arrive in the same order. */
  seed: string
}

export interface Example {
  /** Returns null to close the connection without a response, or `hang` to never respond. */
  answer(request: Request): Promise<Response | null | 'hang'>
  readonly met: Readonly<FaultCounts>
}

/** Serves the sandbox through the connector contract, as an example and for tests. */
export function createExample({ sleep, wait, faults, seed, ...serve }: ExampleDeps): Example {
  const connector = createConnector({ ...serve, ports: createSandbox({ sleep: wait }) })
  const met: FaultCounts = { calls: 0, overtaken: 0, twice: 0, dropped: 0, lost: 0, hung: 0, broken: 0 }
  const silences = ['dropped', 'lost', 'hung'] as const
  let silent = 0
  /** Calls in progress, in order of arrival, with their teams. */
  const openCalls = new Map<number, string | undefined>()
  let previousResponse: Response | undefined
  /** The current number of consecutive faults for each request id. */
  const faultsInARow = new Map<string, number>()
  const chance = (of: keyof FaultRates, call: number) =>
    Number.parseInt(digest(seed, of, call).slice(0, 8), 16) / 0x1_0000_0000

  async function answerWithFaults(
    request: Request,
    body: ArrayBuffer,
    call: number,
  ): Promise<Response | null | 'hang'> {
    const deliver = () => connector(new Request(request.url, { method: 'POST', headers: request.headers, body }))
    const question = /"request_id":"([^"]*)"/.exec(Buffer.from(body).toString())?.[1] ?? ''
    const inARow = faultsInARow.get(question) ?? 0
    const isHit = (of: keyof FaultRates) => {
      const hit = inARow < faults.inARow && chance(of, call) < faults[of]
      if (hit) faultsInARow.set(question, inARow + 1)
      return hit
    }
    if (faults.slow > 0) await sleep(Math.floor(chance('slow', call) * faults.slow))
    if (isHit('silent')) {
      const silence = silences[silent++ % 3]!
      met[silence]++
      if (silence !== 'dropped') await deliver()
      return silence === 'hung' ? 'hang' : null
    }
    const answer = await deliver()
    const earlierResponse = previousResponse
    previousResponse = answer.clone()
    if (isHit('broken')) {
      met.broken++
      return call % 2 === 0
        ? new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } })
        : new Response((await answer.text()).slice(0, -1), { headers: answer.headers })
    }
    if (isHit('twice')) {
      met.twice++
      await deliver()
      return earlierResponse?.clone() ?? answer
    }
    faultsInARow.delete(question)
    return answer
  }

  return {
    met,
    async answer(request) {
      const call = ++met.calls
      const body = await request.arrayBuffer()
      const team = /"team_id":"(\w+)"/.exec(Buffer.from(body).toString())?.[1]
      openCalls.set(call, team)
      try {
        const answer = await answerWithFaults(request, body, call)
        if (answer instanceof Response && [...openCalls].some(([other, whose]) => other < call && whose === team))
          met.overtaken++
        return answer
      } finally {
        openCalls.delete(call)
      }
    },
  }
}
