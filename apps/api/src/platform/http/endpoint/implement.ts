/** Builds routes for the endpoints declared in the contract. Handlers receive validated and typed input. */
import type { Endpoint } from '@causeway/contract/declaration/endpoint'
import { ServiceError } from '@causeway/contract/errors'
import type { z } from 'zod'
import type { Ctx } from '../../scope.js'
import { valuesOf } from './declaration.js'
import type { Answer, Ready, Route } from './route.js'

/** The names of a path's parameters, such as `'ent_id' | 'id'` for `/entities/:ent_id/connect/:id`. */
export type Params<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Params<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type Bare<Name> = Name extends `${infer Word}[]` ? Word : Name

/** The type of a parameter's value: one of the declared values, or a string. */
type Value<Q, Name> = Name extends keyof Q ? (Q[Name] extends z.ZodEnum ? z.output<Q[Name]> : string) : string

/** The query parameters of a request. The compiler rejects undeclared names. */
interface Query<Name extends string, Q = unknown, Required = never> {
  /** Returns the parameter's value, or null if it was not sent. A required parameter always has a value. */
  get<Each extends Name>(name: Each): Value<Q, Each> | (Each extends Required ? never : null)
  /**
   * Returns all values of a filter, sent as `status=a` or `status[]=a&status[]=b`. Returns an empty list if the filter
   * was not sent.
   */
  all<Each extends Name>(name: Each): Value<Q, Each>[]
}

type RequiredOf<E> = E extends { required: readonly (infer Name)[] } ? Name : never

/** An endpoint's input, in the format of the latest version. */
interface Input<E extends Endpoint> {
  readonly params: Readonly<Record<Params<E['path']>, string>>
  readonly query: E extends { query: infer Q } ? Query<Bare<keyof Q> & string, Q, RequiredOf<E>> : Query<never>
  readonly body: E extends { body: infer Body extends z.ZodType } ? z.output<Body> : undefined
}

export interface Implementation<E extends Endpoint, Prepared> {
  /** See {@link Route.earlier}. For an invalid request, `read` throws an error that describes the problem. */
  earlier?: (ctx: Ctx, read: () => Input<E>) => Promise<{ answer: Ready; mismatch: boolean } | undefined>
  /** Makes external calls before the transaction, and changes nothing. `handle` receives the result as `prepared`. */
  prepare?: (ctx: Ctx, input: Input<E>) => Promise<Prepared>
  handle: (ctx: Ctx, input: Input<E> & { readonly prepared: Prepared }) => Promise<Answer>
}

/** Returns the message for a required parameter that was not sent. */
const needed = ({ query }: Endpoint, name: string) =>
  `${name} is required. Send ${lowerFirst(query![name]!.description!)}.`

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

function readInput<E extends Endpoint>(
  endpoint: E,
  ctx: Pick<Ctx, 'deps' | 'params' | 'query' | 'version' | 'body' | 'enveloped'>,
): Input<E> {
  for (const name of endpoint.required ?? [])
    if (!ctx.query.get(name)) throw new ServiceError('INVALID_REQUEST', needed(endpoint, name))
  const body =
    endpoint.body &&
    ctx.deps.versions.upToNewest(
      ctx.version,
      `${endpoint.method} ${endpoint.path}`,
      endpoint.body,
      ctx.body(),
      ctx.enveloped,
    )
  return {
    params: ctx.params,
    query: { get: (name: string) => ctx.query.get(name), all: (name: string) => valuesOf(ctx.query, name) },
    body,
  } as unknown as Input<E>
}

/**
 * Builds the route of an endpoint. The method, path, allowed callers and body come only from the endpoint's
 * declaration.
 */
export function implement<E extends Endpoint, Prepared = undefined>(
  endpoint: E,
  { earlier, prepare, handle }: Implementation<E, Prepared>,
): Route {
  const { method, path, auth, since, sandbox } = endpoint
  return {
    method,
    path,
    ...(auth && { auth }),
    ...(since && { since }),
    ...(sandbox && { sandbox }),
    ...(earlier && { earlier: ctx => earlier(ctx, () => readInput(endpoint, ctx)) }),
    read: ctx => readInput(endpoint, ctx),
    ...(prepare && { prepare: ctx => prepare(ctx, ctx.input as Input<E>) }),
    // Lists the properties, because Node.js 20 is slow to add one to a spread copy.
    handle: ctx => {
      const { params, query, body } = ctx.input as Input<E>
      return handle(ctx, { params, query, body, prepared: ctx.prepared as Prepared })
    },
  }
}
