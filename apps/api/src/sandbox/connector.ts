import { createConnector, type ServeDeps } from '../connectors/serve.js'
import { digest } from './digest.js'
import { createSandbox } from './sandbox.js'

/** How the example misbehaves, so that the service's side can be tried. Chances are from 0 to 1. */
export interface Trouble {
  /** Every answer waits up to so many milliseconds, so that answers of calls at one time come in any order. */
  slow: number
  /** How often a call is delivered a second time, and the answer is the one of the call before, once more. */
  twice: number
  /** How often there is no answer: by turns the call never arrives, its answer is lost, and the connection hangs. */
  silent: number
  /** How often the answer is broken: cut off, or an error page of something in between. */
  broken: number
}

export const noTrouble: Trouble = { slow: 0, twice: 0, silent: 0, broken: 0 }

export interface ExampleDeps extends Omit<ServeDeps, 'ports'> {
  sleep(ms: number): Promise<void>
  /** How long the sandbox's slow institutions take. */
  wait(ms: number): Promise<void>
  trouble: Trouble
  /** The same seed gives the same troubles in the same order of calls. */
  seed: string
}

/** Null: hang up without an answer; `hang`: say nothing, ever. */
export type Example = (request: Request) => Promise<Response | null | 'hang'>

/** The sandbox behind the contract of connectors: an example, and what tests speak to. */
export function createExample({ sleep, wait, trouble, seed, ...serve }: ExampleDeps): Example {
  const connector = createConnector({ ...serve, ports: createSandbox({ sleep: wait }) })
  let calls = 0
  let silences = 0
  let before: Response | undefined
  const chance = (of: keyof Trouble, call: number) =>
    Number.parseInt(digest(seed, of, call).slice(0, 8), 16) / 0x1_0000_0000

  return async request => {
    const call = ++calls
    const body = await request.arrayBuffer()
    const again = () => connector(new Request(request.url, { method: 'POST', headers: request.headers, body }))
    const hits = (of: keyof Trouble) => chance(of, call) < trouble[of]
    if (trouble.slow > 0) await sleep(Math.floor(chance('slow', call) * trouble.slow))
    if (hits('silent')) {
      const how = silences++ % 3
      if (how > 0) await again()
      return how === 2 ? 'hang' : null
    }
    const answer = await again()
    const last = before
    before = answer.clone()
    if (hits('broken'))
      return call % 2 === 0
        ? new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } })
        : new Response((await answer.text()).slice(0, -1), { headers: answer.headers })
    if (hits('twice')) {
      await again()
      return last?.clone() ?? answer
    }
    return answer
  }
}
