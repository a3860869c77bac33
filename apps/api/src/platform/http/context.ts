import type { Ctx, Deps, Read } from '../scope.js'

/** The parts of a request that are available before it is handled. */
export type Base = Omit<Ctx, 'db' | 'now' | 'after' | 'input' | 'prepared' | 'reads'>

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
  readonly body: Ctx['body']
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
    this.body = base.body
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
}
