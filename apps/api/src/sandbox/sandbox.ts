import type { Ports } from '../network/ports.js'
import { identity } from './identity.js'
import { createNetwork } from './network.js'
import { rail } from './rail.js'

export interface SandboxDeps {
  /** Resolves after this many milliseconds of real time. In tests it resolves immediately. */
  sleep(ms: number): Promise<void>
}

/**
 * Creates the test network: the three ports, answered from the tables in this folder. It keeps no state and reads no
 * clock, so that every process and every retry gets the same response. docs/sandbox.md, generated from the same tables,
 * describes its abilities.
 * @example createSandbox({ sleep: ms => new Promise(resolve => setTimeout(resolve, ms)) })
 */
export function createSandbox({ sleep }: SandboxDeps): Ports {
  return { network: createNetwork(sleep), identity, rail }
}
