/** Injects the faults of a real network and a real service into an emulator, to test its client. */
import { createHash } from 'node:crypto'

/** The faults to inject. Probabilities range from 0 to 1. */
export interface FaultRates {
  /** The maximum delay of a response, in ms. Delays put the responses to simultaneous calls in random order. */
  slow: number
  /** The probability that a call is delivered twice. */
  twice: number
  /**
   * The probability that a call gets no response. The cause cycles through three faults: the call never arrives, its
   * response is lost, or the connection hangs.
   */
  silent: number
  /** The probability that a response is broken: either truncated, or replaced with a proxy's error page. */
  broken: number
  /** The maximum number of consecutive faults for one key. The next call then gets a response. */
  inARow: number
}

/** The number of faults of each kind. Tests check these numbers, because a run without faults proves nothing. */
export interface FaultCounts {
  calls: number
  /** Responses that were sent before the response to an earlier call of the same group. */
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

export interface FaultDeps {
  faults: FaultRates
  /** The same seed produces the same faults if the calls arrive in the same order. */
  seed: string
  sleep(ms: number): Promise<void>
  /** Returns the key that limits consecutive faults, such as the request id of a call. */
  keyOf(request: Request, body: string): string
  /** True to answer a call that is delivered twice with the response to the previous call. */
  swapsAnswers?: boolean
  /** Returns the group in which overtaken responses are counted. */
  groupOf(request: Request, body: string): string | undefined
}

/** Returns null to close the connection without a response, or `hang` to never respond. */
export type FaultyAnswer = Response | null | 'hang'

export interface Faulty {
  answer(request: Request): Promise<FaultyAnswer>
  readonly met: Readonly<FaultCounts>
}

/** Wraps a service's answers in faults. */
export function withFaults(
  service: (request: Request) => Promise<Response>,
  { faults, seed, sleep, keyOf, groupOf, swapsAnswers = false }: FaultDeps,
): Faulty {
  const met: FaultCounts = { calls: 0, overtaken: 0, twice: 0, dropped: 0, lost: 0, hung: 0, broken: 0 }
  const silences = ['dropped', 'lost', 'hung'] as const
  let silent = 0
  /** Calls in progress, in order of arrival, with their groups. */
  const openCalls = new Map<number, string | undefined>()
  let previousResponse: Response | undefined
  /** The current number of consecutive faults for each key. */
  const faultsInARow = new Map<string, number>()
  const chance = (of: keyof FaultRates, call: number) =>
    createHash('sha256').update(`${seed} ${of} ${call}`).digest().readUInt32BE() / 0x1_0000_0000

  async function answerWithFaults(request: Request, body: Buffer, call: number): Promise<FaultyAnswer> {
    const deliver = () =>
      service(
        new Request(request.url, {
          method: request.method,
          headers: request.headers,
          ...(request.method !== 'GET' && { body: new Uint8Array(body) }),
        }),
      )
    const key = keyOf(request, body.toString())
    const inARow = faultsInARow.get(key) ?? 0
    const isHit = (of: keyof FaultRates) => {
      const hit = inARow < faults.inARow && chance(of, call) < faults[of]
      if (hit) faultsInARow.set(key, inARow + 1)
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
      const second = await deliver()
      return swapsAnswers ? (earlierResponse?.clone() ?? answer) : second
    }
    faultsInARow.delete(key)
    return answer
  }

  return {
    met,
    async answer(request) {
      const call = ++met.calls
      const body = Buffer.from(await request.arrayBuffer())
      const group = groupOf(request, body.toString())
      openCalls.set(call, group)
      try {
        const answer = await answerWithFaults(request, body, call)
        if (answer instanceof Response && [...openCalls].some(([other, whose]) => other < call && whose === group))
          met.overtaken++
        return answer
      } finally {
        openCalls.delete(call)
      }
    },
  }
}
