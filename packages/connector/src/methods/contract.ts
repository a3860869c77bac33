/** The contract between the service and an operator's connector. docs/connectors.md is generated from it. */
import { z } from 'zod'
import { identityMethods } from './identity-methods.js'
import type { Method } from './method.js'
import { networkMethods, tablesMethod } from './network-methods.js'
import { railMethods } from './rail-methods.js'
import { day, reference, time } from './shapes.js'

export const portNames = ['network', 'identity', 'rail'] as const
export type PortName = (typeof portNames)[number]

const methodsByPort: Record<PortName, Record<string, Method>> = {
  network: { ...networkMethods, tables: tablesMethod },
  identity: { ...identityMethods },
  rail: { ...railMethods },
}

/** Returns a port's methods, keyed by their TypeScript names. */
export const methodsOf = (port: PortName): Readonly<Record<string, Method>> => methodsByPort[port]

/** Returns a method's path, such as `network/verify_number` for verifyNumber. */
export const pathOf = (port: PortName, name: string): string =>
  `${port}/${name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)}`

export interface Endpoint {
  port: PortName
  name: string
  method: Method
}

/** All methods, keyed by path. */
export const endpointsByPath: ReadonlyMap<string, Endpoint> = new Map(
  portNames.flatMap(port =>
    Object.entries(methodsByPort[port]).map(([name, method]) => [pathOf(port, name), { port, name, method }] as const),
  ),
)

/** The path for querying the outcome of an action that may have arrived. */
export const OUTCOME_PATH = 'outcome'

/** The path for the list of methods that a connector serves. */
export const CAPABILITIES_PATH = 'capabilities'

/** The method that lists what a connector serves. The service calls it at startup and at regular intervals. */
export const capabilitiesMethod = {
  kind: 'read',
  what: 'Returns the paths of the methods that the connector serves, such as `rail/submit`. The service offers nothing that needs another method. `routes`: the ways in which the rail pays debts by the service’s payee directory; without any, the rail knows itself how each merchant is paid. `discovery`: `link` if a person must first link institutions at `network/link`; `search`, the default, if `network/discover` finds accounts without that. `persons`: `own`, the default, if discovery knows people only by the ids that `identity/match` returned; `any` if any stable id works, and then discovery and linking receive the id of the entity. `company`: the name of another company that receives people’s details in order to find their accounts, which the consent documents then name; null if it has no name that people know; absent if there is none. Optional: a connector without this path serves every method.',
  question: z.object({}),
  answer: z.object({
    methods: z.array(z.string().max(100)).max(1_000),
    routes: z
      .array(z.enum(['ach', 'check', 'card_push']))
      .max(3)
      .optional(),
    discovery: z.enum(['search', 'link']).optional(),
    persons: z.enum(['own', 'any']).optional(),
    company: z.string().min(1).max(200).nullable().optional(),
  }),
  absent: { methods: [...endpointsByPath.keys()], routes: [], discovery: 'search', persons: 'own' },
} satisfies Method

/** The path of the rail's statement, which the service compares with its store. */
export const STATEMENT_PATH = 'rail/statement'

/** The method that lists the rail's movements of money. The connector lists it in its capabilities. */
export const statementMethod = {
  kind: 'read',
  what: 'Returns a page of the movements on the team’s accounts at the rail, between two days, inclusive, in UTC. `amount` is positive for money in. `transfer` is an id that `rail/status`, `rail/reversal` or `network/deposit` named; null if no call caused the movement. `cursor` is null on the last page. Optional: the service compares statements only if `capabilities` lists this path.',
  question: z.object({ from: day, to: day, cursor: z.string().max(1_000).nullable() }),
  answer: z.object({
    lines: z
      .array(
        z.object({
          id: reference,
          amount: z.int(),
          at: time,
          category: z.string().max(200),
          transfer: reference.nullable(),
        }),
      )
      .max(1_000),
    cursor: z.string().max(1_000).nullable(),
  }),
} satisfies Method

/** The methods that the service calls for itself, rather than through a port. */
export const ownMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  [CAPABILITIES_PATH, capabilitiesMethod],
  [STATEMENT_PATH, statementMethod],
])

/** The body of every call. */
export const envelope = z.object({
  request_id: z.string().min(1).max(300).describe("The id of the call's resource."),
  team_id: z.string().max(100).describe('The team that the resource belongs to.'),
  now: z.int().describe('The team’s clock, in epoch milliseconds. In production, the real time.'),
  question: z.unknown().describe("The method's input. Each method describes its own input."),
})
export type Envelope = z.infer<typeof envelope>

export const outcomeQuestion = z.object({
  method: z.string().max(100).describe('The path of the action, such as `rail/submit`.'),
  question: z
    .unknown()
    .optional()
    .describe("The action's input, for a connector whose provider finds an action only by its content."),
})
/** `known: false` means that the action has not arrived yet. If it arrives later, the connector still performs it. */
export const outcomeAnswer = z.discriminatedUnion('known', [
  z.object({ known: z.literal(true), answer: z.unknown() }),
  z.object({ known: z.literal(false) }),
])

/** The maximum size of a connector's answer, in bytes. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024

const id = z.string().min(1).max(200).describe('The permanent id of this push. The service processes each id once.')
/**
 * A push from the connector. The push names the resource that changed, and the service then queries the resource's new
 * state.
 */
export const pushSchema = z.discriminatedUnion('type', [
  z
    .object({ id, type: z.literal('payment.changed'), team_id: z.string().max(100), payment_id: z.string().max(100) })
    .describe('A payment moved, failed or was returned. The service calls `rail/status` immediately.'),
  z
    .object({ id, type: z.literal('reversal.changed'), team_id: z.string().max(100), reversal_id: z.string().max(100) })
    .describe('A reversal changed. The service calls `rail/reversal` immediately.'),
  z
    .object({ id, type: z.literal('feed.changed'), team_id: z.string().max(100), request_id: z.string().max(100) })
    .describe(
      '`network/changes` has new changes for this `request_id`. The service calls `network/changes` immediately.',
    ),
])
export type Push = z.infer<typeof pushSchema>
