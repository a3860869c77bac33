import type { Version } from '@causeway/contract/versions'
import type { Ctx, Deps, Read, Team, Within } from '../../scope.js'
import { readObject } from './body.js'
import { readVersion } from './version.js'

/** The parts of a request that are available before it is handled. */
export type Base = Omit<Ctx, 'db' | 'now' | 'after' | 'input' | 'prepared' | 'reads'> & {
  readonly within?: Within | undefined
}

/** The parts of a request that are known before anything is read. Requests are classes because literals are slower. */
class Parts {
  readonly deps: Deps
  readonly team: Team
  readonly actor: string
  readonly scopes: Ctx['scopes']
  readonly requestId: string
  readonly params: Ctx['params']
  readonly idempotencyKey: string | null
  readonly enveloped: boolean
  readonly encrypted: boolean
  readonly header: (name: string) => string | undefined
  /** Runs in the transaction of a write, before its change. An error rejects the write. */
  readonly within?: Within | undefined

  constructor(given: Parts) {
    this.deps = given.deps
    this.team = given.team
    this.actor = given.actor
    this.scopes = given.scopes
    this.requestId = given.requestId
    this.params = given.params
    this.idempotencyKey = given.idempotencyKey
    this.enveloped = given.enveloped
    this.encrypted = given.encrypted
    this.header = given.header
    this.within = given.within
  }
}

/** A request before it is handled. Reads the version, the query and the body only when they are needed. */
export class IncomingRequest extends Parts implements Base {
  /** The query as it was sent. */
  readonly sent: URLSearchParams
  /** The body, once it has been read and decrypted. */
  text = ''
  #version: Version | undefined
  #query: URLSearchParams | undefined
  #parsed: { body: Record<string, unknown> } | { error: unknown } | undefined

  constructor(given: Parts, sent: URLSearchParams) {
    super(given)
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

/** A request, as its handler receives it. */
export class Context extends Parts implements Ctx {
  readonly now: number
  readonly db: Ctx['db']
  readonly after: Ctx['after']
  readonly input: unknown
  readonly prepared: unknown
  readonly reads: Read[] = []
  readonly #base: Base

  constructor(base: Base, now: number, db: Ctx['db'], after: Ctx['after'], input: unknown, prepared: unknown) {
    super(base)
    this.#base = base
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
