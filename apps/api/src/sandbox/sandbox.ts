import type { Ports } from '@causeway/connector/ports/ports'
import { identity } from './identity.js'
import { createNetwork } from './network.js'
import { rail } from './rail.js'

export interface SandboxDeps {
  /** Resolves after this many milliseconds of real time. In tests, resolves immediately. */
  sleep(ms: number): Promise<void>
}

/**
 * Creates the test network: the three ports, whose responses come from the tables in this folder. The network stores no
 * state and reads no clock, so every process and every retry gets the same response. docs/sandbox.md, which is
 * generated from the same tables, describes the test network.
 * @example createSandbox({ sleep: ms => new Promise(resolve => setTimeout(resolve, ms)) })
 */
export function createSandbox({ sleep }: SandboxDeps): Ports {
  return { network: createNetwork(sleep), identity, rail }
}
