import type { z } from 'zod'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { sessionMethods } from '../resources/names.js'

type Block = Readonly<Record<string, unknown>>

/** The declaration of a method that verifies an account. Session types and request bodies are derived from it. */
export interface AccountMethod {
  /** The session type, which is also the name of its block. */
  readonly name: string
  /** The method's block in a session. */
  readonly block: z.ZodType
  /**
   * The block that answers a session. Absent if only the service can start sessions of this type; these sessions are
   * verified from the start.
   */
  readonly answer?: z.ZodType
  /** An answer, and the block of the session that it verifies. */
  readonly example: { readonly answer?: Block; readonly block: Block }
  /** Additional endpoints, by operation id. */
  readonly endpoints?: Readonly<Record<string, Endpoint>>
}

/** The declaration of a method that verifies an entity. Request bodies are derived from it. */
export interface EntityMethod {
  /** The part of an entity that the method verifies. */
  readonly type: 'phone' | 'identity'
  /** The name of the method and of its block. */
  readonly name: (typeof sessionMethods)[number]
  /** The method's block in a session. */
  readonly block: z.ZodType
  /** The block that starts a session. By default, the content of the block is ignored. */
  readonly start?: z.ZodType<Record<string, unknown>>
  /** The block that answers a session. By default, the content of the block is ignored. */
  readonly answer?: z.ZodType<Record<string, unknown>>
  /** The blocks that start and answer a session, and the block of the session that they verify. */
  readonly example: { readonly start?: Block; readonly answer?: Block; readonly block: Block }
}

/** Declares a method and preserves the literal types of its names. */
export const accountMethod = <const M extends AccountMethod>(declared: M): M => declared

/** Declares a method and preserves the literal types of its names. */
export const entityMethod = <const M extends EntityMethod>(declared: M): M => declared

/** Returns the fields of a session for these methods. A session contains only the block for its own method. */
export const sessionBlocks = (methods: readonly (AccountMethod | EntityMethod)[]) =>
  Object.fromEntries(methods.map(({ name, block }) => [name, block.optional()]))
