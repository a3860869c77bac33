import type { Version } from '@causeway/contract/versions'
import type { Ctx } from '../scope.js'

/** A handler's result; the pipeline turns it into bytes. `stored` replaces the body in a replay. */
export type Answer =
  /** One resource: bare at the root. */
  | { shape: 'one'; body: unknown; shown?: true; stored?: unknown }
  /** `{ data }` at the root, with paging headers. */
  | { shape: 'list'; body: unknown; headers?: Record<string, string>; shown?: true }
  /** `{ success, data, message }` on both mounts: Opal and ping. */
  | { shape: 'wrapped'; body: unknown; message?: string }
  /** Never wrapped: key sets and files. */
  | { shape: 'raw'; body: string; type: string; headers?: Record<string, string> }
  /** A file that is made while it is read, page by page. Reads only. */
  | { shape: 'stream'; parts: () => AsyncGenerator<string>; type: string; headers?: Record<string, string> }
  /** The effect stands and the answer waits for a job, a bounded time. */
  | { shape: 'later'; job: string; resume: { kind: string; id: string } }

/** An answer that waits for nothing. */
export type Ready = Exclude<Answer, { shape: 'later' }>

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** The credential that a call needs: a team's secret key (default), an Opal token, or none. */
  auth?: 'secret' | 'opal' | 'none'
  /** The first version that has it; left out: all. */
  since?: Version
  /** Only if the sandbox is served. */
  sandbox?: true
  /**
   * Returns the resource that the request's key created before, where it is known for longer than its stored answer is
   * kept, and `mismatch` where the request differs. Such an answer is not stored again: it always shows that resource.
   */
  earlier?: (ctx: Ctx) => Promise<{ answer: Ready; mismatch: boolean } | undefined>
  /** Reads what the endpoint declares of a request, once; it reaches the rest as `ctx.input`. */
  read?: (ctx: Pick<Ctx, 'deps' | 'params' | 'query' | 'version' | 'body'>) => unknown
  /** Makes the external calls, before the transaction; changes nothing. Its errors are answered like those of `handle`. */
  prepare?: (ctx: Ctx) => Promise<unknown>
  handle: (ctx: Ctx) => Promise<Answer>
}

export const one = (body: unknown): Ready => ({ shape: 'one', body })
export const wrapped = (body: unknown, message?: string): Answer =>
  message === undefined ? { shape: 'wrapped', body } : { shape: 'wrapped', body, message }
/** A body that is at the request's version already. */
export const shown = (answer: Extract<Answer, { shape: 'one' | 'list' }>): Answer => ({ ...answer, shown: true })
/** The answer to a delete. */
export const gone: Answer = { shape: 'list', body: null }
