import type { Ports } from '../network/ports.js'
import { identity } from './identity.js'
import { createNetwork } from './network.js'
import { rail } from './rail.js'

export interface SandboxDeps {
  /** Resolves after that many milliseconds of real time; tests resolve at once. */
  sleep(ms: number): Promise<void>
}

/**
 * The test network: the three ports, answered from the tables in this folder. It keeps no state and reads no clock, so
 * that every process and every retry answers the same. What it can do is in docs/sandbox.md, which is made from the same tables.
 * @example createSandbox({ sleep: ms => new Promise(resolve => setTimeout(resolve, ms)) })
 */
export function createSandbox({ sleep }: SandboxDeps): Ports {
  return { network: createNetwork(sleep), identity, rail }
}
