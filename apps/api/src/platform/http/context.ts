import type { Version } from '@causeway/contract/versions'
import type { Ctx, Deps, Holder, Read, Team } from '../scope.js'
import { readObject } from './body.js'
import { readVersion } from './version.js'

/** The parts of a request that are available before it is handled. */
export type Base = Omit<Ctx, 'db' | 'now' | 'after' | 'input' | 'prepared' | 'reads'>

/** The values from which {@link Asked} is created. */
interface Given {
  deps: Deps
  caller: Holder
  requestId: string
  params: Record<string, string>
  /** The query as it was sent. */
  sent: URLSearchParams
  idempotencyKey: string | null
  enveloped: boolean
  encrypted: boolean
  header(name: string): string | undefined
}

/** A request before it is handled. Reads the version, the query and the body only when they are needed. */
export class Asked implements Base {
  readonly deps: Deps
  readonly team: Team
  readonly actor: string
  readonly scopes: Ctx['scopes']
  readonly requestId: string
  readonly params: Record<string, string>
  readonly idempotencyKey: string | null
  readonly enveloped: boolean
  readonly encrypted: boolean
  readonly header: (name: string) => string | undefined
  /** The query as it was sent. */
  readonly sent: URLSearchParams
  /** The body, once it has been read and decrypted. */
  text = ''
  #version: Version | undefined
  #query: URLSearchParams | undefined
  #parsed: { body: Record<string, unknown> } | { error: unknown } | undefined

  constructor({ deps, caller, requestId, params, sent, idempotencyKey, enveloped, encrypted, header }: Given) {
    this.deps = deps
    this.team = caller.team
    this.actor = caller.actor
    this.scopes = caller.scopes
    this.requestId = requestId
    this.params = params
    this.idempotencyKey = idempotencyKey
    this.enveloped = enveloped
    this.encrypted = encrypted
    this.header = header
    this.sent = sent
  }

  /** Throws INVALID_VERSION if the request names an unknown version. */
  get version(): Version {
    this.#version ??= readVersion(
      this.header('service-version') ?? (this.enveloped ? this.header('method-version') : undefined),
      this.team.version,
    )
    return this.#version
  }

  /** The query, without the parameters that the version doesn't have. */
  get query(): URLSearchParams {
    this.#query ??= without(this.sent, this.deps.versions.lackedParameters(this.version))
    return this.#query
  }

  body(): Record<string, unknown> {
    this.#parsed ??= readOnce(this.text)
    if ('error' in this.#parsed) throw this.#parsed.error
    return this.#parsed.body
  }
}

/** Returns the parsed body, or the error that rejects it, so that the text is parsed only once. */
function readOnce(text: string): { body: Record<string, unknown> } | { error: unknown } {
  try {
    return { body: readObject(text) }
  } catch (error) {
    return { error }
  }
}

/** Removes the parameters that the version doesn't have, so that they are treated as unknown. */
function without(query: URLSearchParams, names: readonly string[]): URLSearchParams {
  for (const name of names)
    if (query.has(name)) return new URLSearchParams([...query].filter(([each]) => !names.includes(each)))
  return query
}

/**
 * A request, as its handler receives it. This is a class because property access is slow on objects that each have
 * their own prototype.
 */
export class Context implements Ctx {
  readonly deps: Deps
  readonly team: Ctx['team']
  readonly actor: string
  readonly scopes: Ctx['scopes']
  readonly requestId: string
  readonly params: Ctx['params']
  readonly idempotencyKey: string | null
  readonly enveloped: boolean
  readonly encrypted: boolean
  readonly header: Ctx['header']
  readonly now: number
  readonly db: Ctx['db']
  readonly after: Ctx['after']
  readonly input: unknown
  readonly prepared: unknown
  readonly reads: Read[] = []
  readonly #base: Base

  constructor(base: Base, now: number, db: Ctx['db'], after: Ctx['after'], input: unknown, prepared: unknown) {
    this.#base = base
    this.deps = base.deps
    this.team = base.team
    this.actor = base.actor
    this.scopes = base.scopes
    this.requestId = base.requestId
    this.params = base.params
    this.idempotencyKey = base.idempotencyKey
    this.enveloped = base.enveloped
    this.encrypted = base.encrypted
    this.header = base.header
    this.now = now
    this.db = db
    this.after = after
    this.input = input
    this.prepared = prepared
  }

  /** Reads the version only when it is needed, because reading an unknown version throws an error. */
  get version() {
    return this.#base.version
  }

  get query() {
    return this.#base.query
  }

  body() {
    return this.#base.body()
  }
}
