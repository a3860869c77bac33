import { type Call, OutsideError, type Ports } from '../ports.js'
import { pick } from './digest.js'
import { delays } from './inputs.js'
import type { SandboxDeps } from './sandbox.js'

export const faultModes = {
  slow: 'Every call takes three seconds longer.',
  failing: 'Every call fails as if the other side could not be reached.',
  flapping: 'Of the calls for one resource every other one fails; which of two comes first depends on the id.',
} as const

export type FaultMode = keyof typeof faultModes

/** How many resources flapping remembers; forgetting one only means that it starts over. */
const remembered = 10_000

/**
 * The ports, misbehaving for the teams that asked for it. `merchants` never does: it is a table.
 * @param faultOf how a port misbehaves for a team at the moment, or null
 */
export function withFaults(
  ports: Ports,
  faultOf: (team_id: string, target: keyof Ports) => Promise<FaultMode | null>,
  { sleep }: SandboxDeps,
): Ports {
  const attempts = new Map<string, number>()

  async function suffer(target: keyof Ports, { team_id, request_id }: Call): Promise<void> {
    const mode = await faultOf(team_id, target)
    if (mode === null) return
    if (mode === 'slow') return sleep(delays.fault)
    if (mode === 'failing') throw new OutsideError(`${target} is failing: a fault that the team asked for`)
    const key = `${target} ${team_id} ${request_id}`
    const attempt = attempts.get(key) ?? pick(2, key)
    if (attempts.size >= remembered) attempts.clear()
    attempts.set(key, attempt + 1)
    if (attempt % 2 === 0) throw new OutsideError(`${target} is flapping: a fault that the team asked for`)
  }

  function faulty<C extends Call, A>(target: keyof Ports, ask: (call: C) => Promise<A>): (call: C) => Promise<A> {
    return async call => {
      await suffer(target, call)
      return ask(call)
    }
  }

  const { network, identity, rail } = ports
  return {
    network: {
      discover: faulty('network', call => network.discover(call)),
      balance: faulty('network', call => network.balance(call)),
      update: faulty('network', call => network.update(call)),
      verifyNumber: faulty('network', call => network.verifyNumber(call)),
      describe: faulty('network', call => network.describe(call)),
      merchants: ids => network.merchants(ids),
      payoff: faulty('network', call => network.payoff(call)),
      cardBrand: faulty('network', call => network.cardBrand(call)),
      cardProducts: () => network.cardProducts(),
      sensitive: faulty('network', call => network.sensitive(call)),
      attributes: faulty('network', call => network.attributes(call)),
      instrument: faulty('network', call => network.instrument(call)),
      vouch: faulty('network', call => network.vouch(call)),
      deposit: faulty('network', call => network.deposit(call)),
      checkCard: faulty('network', call => network.checkCard(call)),
    },
    identity: {
      sendCode: faulty('identity', call => identity.sendCode(call)),
      checkCode: faulty('identity', call => identity.checkCode(call)),
      match: faulty('identity', call => identity.match(call)),
      questions: faulty('identity', call => identity.questions(call)),
      answer: faulty('identity', call => identity.answer(call)),
    },
    rail: {
      accepts: faulty('rail', call => rail.accepts(call)),
      submit: faulty('rail', call => rail.submit(call)),
      cancel: faulty('rail', call => rail.cancel(call)),
      status: faulty('rail', call => rail.status(call)),
    },
  }
}
