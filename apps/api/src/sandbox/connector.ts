import { type FaultRates, type Faulty, withFaults } from '@causeway/connector/emulator/faults'
import { createConnector, createPortsExchange, type ServeDeps } from '@causeway/connector/http/serve'
import { createSandbox } from './sandbox.js'

export interface ExampleDeps extends Omit<ServeDeps, 'exchange'> {
  sleep(ms: number): Promise<void>
  /** Simulates the response time of the sandbox's slow institutions. */
  wait(ms: number): Promise<void>
  faults: FaultRates
  /** The same seed produces the same faults if the calls arrive in the same order. */
  seed: string
}

/** Serves the sandbox through the connector contract, as an example and for tests. */
export function createExample({ sleep, wait, faults, seed, ...serve }: ExampleDeps): Faulty {
  return withFaults(createConnector({ ...serve, exchange: createPortsExchange(createSandbox({ sleep: wait })) }), {
    faults,
    seed,
    sleep,
    swapsAnswers: true,
    keyOf: (_, body) => /"request_id":"([^"]*)"/.exec(body)?.[1] ?? '',
    groupOf: (_, body) => /"team_id":"(\w+)"/.exec(body)?.[1],
  })
}
