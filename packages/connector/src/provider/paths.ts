/** The types of each method, keyed by its path. */
import type { z } from 'zod'
import type { PortName } from '../methods/contract.js'
import type { identityMethods } from '../methods/identity-methods.js'
import type { networkMethods, tablesMethod } from '../methods/network-methods.js'
import type { railMethods } from '../methods/rail-methods.js'
import type { PortCall } from '../ports/call.js'
import type { Ports } from '../ports/ports.js'

interface Declared {
  network: typeof networkMethods
  identity: typeof identityMethods
  rail: typeof railMethods
}

type Snake<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : Name

type MethodsOf<Port extends PortName> = {
  [Name in keyof Declared[Port] & keyof Ports[Port] & string as `${Port}/${Snake<Name>}`]: Ports[Port][Name] extends (
    call: infer Call,
  ) => Promise<infer Answer>
    ? { call: Call; answer: Answer; kind: Declared[Port][Name] extends { kind: infer Kind } ? Kind : never }
    : never
}

/** The method that returns the network's tables, which no port has. */
interface TablesMethod {
  'network/tables': { call: PortCall; answer: z.infer<typeof tablesMethod.answer>; kind: 'read' }
}

type MethodsByPath = TablesMethod & MethodsOf<'network'> & MethodsOf<'identity'> & MethodsOf<'rail'>

/** The path of a method, such as `rail/submit`. */
export type MethodPath = keyof MethodsByPath & string
/** A method's input: the question, and the fields of every call. */
export type CallOf<Path extends MethodPath> = MethodsByPath[Path]['call']
export type AnswerOf<Path extends MethodPath> = MethodsByPath[Path]['answer']
/** The paths of the methods that have an effect outside, such as texting a code or moving money. */
export type ActPath = { [Path in MethodPath]: MethodsByPath[Path]['kind'] extends 'act' ? Path : never }[MethodPath]
