import type { Ctx } from '../scope.js'

/** What a handler gives back; the pipeline turns it into bytes. */
export type Answer =
  /** One resource: bare at the root. */
  | { shape: 'one'; body: unknown; shown?: true }
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
  /** Who may call: a team's secret key (default), an Opal token, or anybody. */
  auth?: 'secret' | 'opal' | 'none'
  /** Only where the sandbox is served. */
  sandbox?: true
  /**
   * What the request's key has made before, where that is known for longer than its stored answer is kept; and whether the
   * request asks for something else. Such an answer is not kept again: it is always of what was made.
   */
  earlier?: (ctx: Ctx) => Promise<{ answer: Ready; mismatch: boolean } | undefined>
  /** Asks what must be asked outside, before the transaction; changes nothing. What it throws is answered like what `handle` throws. */
  prepare?: (ctx: Ctx) => Promise<unknown>
  handle: (ctx: Ctx) => Promise<Answer>
}

export const one = (body: unknown): Ready => ({ shape: 'one', body })
export const wrapped = (body: unknown, message?: string): Answer =>
  message === undefined ? { shape: 'wrapped', body } : { shape: 'wrapped', body, message }
/** A body that is at the request's version already. */
export const shown = (answer: Extract<Answer, { shape: 'one' | 'list' }>): Answer => ({ ...answer, shown: true })
/** What a delete answers. */
export const gone: Answer = { shape: 'list', body: null }
