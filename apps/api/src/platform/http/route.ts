import type { Version } from '@causeway/contract/versions'
import type { Ctx } from '../scope.js'

/** A handler's result, which the pipeline renders. `stored` replaces the body in a replay. */
export type Answer =
  /** One resource at the root of the body. */
  | { shape: 'one'; body: unknown; shown?: true; stored?: unknown }
  /** `{ data }` at the root, with paging headers. */
  | { shape: 'list'; body: unknown; headers?: Record<string, string>; shown?: true }
  /** `{ success, data, message }` on both mounts: Opal and ping. */
  | { shape: 'wrapped'; body: unknown; message?: string }
  /** Never wrapped: key sets and files. */
  | { shape: 'raw'; body: string; type: string; headers?: Record<string, string> }
  /** A file that is generated page by page while the client reads it. Only for reads. */
  | { shape: 'stream'; parts: () => AsyncGenerator<string>; type: string; headers?: Record<string, string> }
  /** The effect is committed, and the response waits for a job for a limited time. */
  | { shape: 'later'; job: string; resume: { kind: string; id: string } }

/** A response that does not wait for a job. */
export type Ready = Exclude<Answer, { shape: 'later' }>

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** The credential that a call needs: a team's secret key (default), an Opal token, or none. */
  auth?: 'secret' | 'opal' | 'none'
  /** The first version that has the endpoint; absent if all have it. */
  since?: Version
  /** Set if only the sandbox has the endpoint. */
  sandbox?: true
  /**
   * Returns the resource that the request's key created before, for endpoints that can find it after the stored
   * response was deleted; `mismatch` is true if the request differs. Such a response is not stored again: it always
   * shows that resource.
   */
  earlier?: (ctx: Ctx) => Promise<{ answer: Ready; mismatch: boolean } | undefined>
  /** Reads the declared input of a request once. The handlers receive it as `ctx.input`. */
  read?: (ctx: Pick<Ctx, 'deps' | 'params' | 'query' | 'version' | 'body'>) => unknown
  /**
   * Makes external calls before the transaction and changes nothing. Its errors are returned like those of `handle`.
   */
  prepare?: (ctx: Ctx) => Promise<unknown>
  handle: (ctx: Ctx) => Promise<Answer>
}

export const one = (body: unknown): Ready => ({ shape: 'one', body })
export const wrapped = (body: unknown, message?: string): Answer =>
  message === undefined ? { shape: 'wrapped', body } : { shape: 'wrapped', body, message }
/** Marks a body that already has the form of the request's version. */
export const shown = (answer: Extract<Answer, { shape: 'one' | 'list' }>): Answer => ({ ...answer, shown: true })
/** The response to a delete. */
export const gone: Answer = { shape: 'list', body: null }
