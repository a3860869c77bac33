import type { PortCall } from '@causeway/connector/ports/call'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { Ports } from '@causeway/connector/ports/ports'
import { pick } from '../digest.js'
import type { SandboxDeps } from '../sandbox.js'
import { delays } from '../tables/inputs.js'

export const faultModes = {
  slow: 'Every call takes three extra seconds.',
  failing: 'Every call fails as if the component could not be reached.',
  flapping:
    'Calls for a resource alternately fail and succeed. The resource’s id determines whether the first call fails.',
} as const

export type FaultMode = keyof typeof faultModes

/**
 * The maximum number of request ids that `flapping` stores. At that limit, all ids are dropped, and their sequences
 * start over.
 */
const MAX_REMEMBERED_IDS = 10_000

/** The call never reached the external service, so it had no effect. */
const unreachableError = (target: keyof Ports, mode: FaultMode) =>
  new OutsideError(`${target} is ${mode} because the team simulated this fault`, { outcome: 'nothing' })

/**
 * Wraps the ports to simulate faults for the teams that requested them. The in-memory tables never fail.
 * @param faultOf returns a port's current fault for a team, or null
 */
export function withFaults(
  ports: Ports,
  faultOf: (team_id: string, target: keyof Ports) => Promise<FaultMode | null>,
  { sleep }: SandboxDeps,
): Ports {
  const attempts = new Map<string, number>()

  async function applyFault(target: keyof Ports, { team_id, request_id }: PortCall): Promise<void> {
    const mode = await faultOf(team_id, target)
    if (mode === null) return
    if (mode === 'slow') return sleep(delays.fault)
    if (mode === 'failing') throw unreachableError(target, mode)
    const key = `${target} ${team_id} ${request_id}`
    const attempt = attempts.get(key) ?? pick(2, key)
    if (attempts.size >= MAX_REMEMBERED_IDS) attempts.clear()
    attempts.set(key, attempt + 1)
    if (attempt % 2 === 0) throw unreachableError(target, mode)
  }

  /** Wraps every method of a port, except those that never fail. */
  function wrapPort<P extends object>(target: keyof Ports, port: P, unaffected: readonly (keyof P)[] = []): P {
    const wrapped = Object.entries(port).map(([name, ask]) => [
      name,
      unaffected.includes(name as keyof P)
        ? ask
        : async (call: PortCall) => {
            await applyFault(target, call)
            return (ask as (call: PortCall) => Promise<unknown>)(call)
          },
    ])
    return Object.fromEntries(wrapped) as P
  }

  return {
    network: wrapPort('network', ports.network, ['merchants', 'cardProducts', 'bureau', 'drawing']),
    identity: wrapPort('identity', ports.identity),
    rail: wrapPort('rail', ports.rail),
  }
}
