import type { Method } from '@causeway/connector/methods/method'
import { railMethods } from '@causeway/connector/methods/rail-methods'
import type { PortCall } from '@causeway/connector/ports/call'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { Rail } from '@causeway/connector/ports/rail'
import type { Log } from '../../platform/log.js'

/**
 * Wraps a rail, from any adapter, to check its answers against the contract. An invalid answer is logged and moves no
 * money. The caller receives an error and queries again later.
 */
export function validateRailAnswers(rail: Rail, log: Log): Rail {
  const validatedMethods = Object.entries(railMethods).map(([name, method]: [string, Method]) => {
    const callRail = rail[name as keyof Rail] as (call: PortCall) => Promise<unknown>
    return [
      name,
      async (call: PortCall) => {
        const answer = await callRail(call)
        // mutant: impossible-answers-are-rejected (true)
        if (method.answer.safeParse(answer ?? null).success && !method.impossible?.(call, answer)) return answer
        const fault = `The rail's answer to ${name} does not match the contract.`
        log('warn', 'connector_fault', { request_id: call.cause, team_id: call.team_id, route: `rail.${name}`, fault })
        throw new OutsideError(fault)
      },
    ]
  })
  return Object.fromEntries(validatedMethods) as Rail
}
