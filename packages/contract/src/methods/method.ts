import type { z } from 'zod'
import type { Endpoint } from '../declaration/endpoint.js'
import type { sessionMethods } from '../fields/names.js'

type Block = Readonly<Record<string, unknown>>

/** The declaration of a method that verifies an account. Session types and request bodies are derived from it. */
export interface AccountMethod {
  /** The session type, which is also the name of its block. */
  readonly name: string
  /** The method's block in a session. */
  readonly block: z.ZodType
  /**
   * The request block that verifies a session. Absent if only the service can start sessions of this type. Such
   * sessions are already verified when they start.
   */
  readonly answer?: z.ZodType
  /** An example request block, and the resulting block in the session. */
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
  /** The request block that starts a session. By default, the content of the block is ignored. */
  readonly start?: z.ZodType<Record<string, unknown>>
  /** The request block that verifies a session. By default, the content of the block is ignored. */
  readonly answer?: z.ZodType<Record<string, unknown>>
  /** Example request blocks that start and verify a session, and the resulting block in the session. */
  readonly example: { readonly start?: Block; readonly answer?: Block; readonly block: Block }
}

/** Declares a method and preserves the literal types of its names. */
export const accountMethod = <const M extends AccountMethod>(declared: M): M => declared

/** Declares a method and preserves the literal types of its names. */
export const entityMethod = <const M extends EntityMethod>(declared: M): M => declared

/** Returns the fields of a session for these methods. A session contains only the block for its own method. */
export const sessionBlocks = (methods: readonly (AccountMethod | EntityMethod)[]) =>
  Object.fromEntries(methods.map(({ name, block }) => [name, block.optional()]))
