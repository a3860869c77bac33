import type { Version } from '@causeway/contract/versions'
import type { Ctx } from '../../scope.js'

/** A handler's result, to be rendered by the pipeline. In a replay, `stored` replaces the body. */
export type Answer =
  /** A single resource at the root of the body. */
  | { shape: 'one'; body: unknown; headers?: Record<string, string>; shown?: true; stored?: unknown }
  /** `{ data }` at the root, with paging headers. */
  | { shape: 'list'; body: unknown; headers?: Record<string, string>; shown?: true }
  /** `{ success, data, message }` on both mounts, for Opal and ping. */
  | { shape: 'wrapped'; body: unknown; message?: string }
  /** Never wrapped: key sets and files. */
  | { shape: 'raw'; body: string; type: string; headers?: Record<string, string> }
  /** A file that is generated in parts while the client reads it. Only for reads. */
  | {
      shape: 'stream'
      parts: () => AsyncGenerator<string | Uint8Array>
      type: string
      headers?: Record<string, string>
    }
  /** After the effect is committed, the response waits a limited time for a job. */
  | { shape: 'later'; job: string; resume: { kind: string; id: string } }

/** A response that doesn't wait for a job. */
export type Ready = Exclude<Answer, { shape: 'later' }>

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** The credential that a call requires: a team's secret key (default), an Opal token, or none. */
  auth?: 'secret' | 'opal' | 'none'
  /** The first version in which the endpoint exists; absent if it exists in all versions. */
  since?: Version
  /** Set if the endpoint exists only in the sandbox. */
  sandbox?: true
  /**
   * Returns the resource that was created earlier with the request's idempotency key. Defined only for endpoints that
   * can find the resource after the stored response has been deleted. `mismatch` is true if the request differs from
   * the original. The response isn't stored again, because it can always be rebuilt from the resource.
   */
  earlier?: (ctx: Ctx) => Promise<{ answer: Ready; mismatch: boolean } | undefined>
  /** Reads a request's declared input once. The handlers receive it as `ctx.input`. */
  read?: (ctx: Pick<Ctx, 'deps' | 'params' | 'query' | 'version' | 'body' | 'enveloped'>) => unknown
  /**
   * Makes external calls before the transaction, without changing anything. Errors are handled like those from
   * `handle`.
   */
  prepare?: (ctx: Ctx) => Promise<unknown>
  handle: (ctx: Ctx) => Promise<Answer>
}

export const one = (body: unknown): Ready => ({ shape: 'one', body })
export const wrapped = (body: unknown, message?: string): Answer =>
  message === undefined ? { shape: 'wrapped', body } : { shape: 'wrapped', body, message }
/** Marks a body that is already in the format of the request's version. */
export const shown = (answer: Extract<Answer, { shape: 'one' | 'list' }>): Answer => ({ ...answer, shown: true })
/** The response to a delete request. */
export const gone: Answer = { shape: 'list', body: null }
