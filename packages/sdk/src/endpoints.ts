import type { Endpoints } from './contract.gen.js'

/** An endpoint, such as `POST /payments`. */
export type Name = keyof Endpoints

/** The endpoints whose responses have one of the given shapes. */
export type Shaped<Shape extends Endpoints[Name]['shape']> = {
  [N in Name]: Endpoints[N]['shape'] extends Shape ? N : never
}[Name]

/** The query parameters of a read, or of a write that also has a body. */
export type Query<N extends Name> = Endpoints[N] extends { query: infer Q extends object } ? Q : Record<string, never>

/** The request body of a write. */
export type Body<N extends Name> = Endpoints[N] extends { body: infer B extends object } ? B : Record<string, never>

/** The input for a call: the body, or the query if the call has no body. */
export type Params<N extends Name> = N extends `GET ${string}` | `DELETE ${string}` ? Query<N> : Body<N>

/** The response to a call. For a list, the type of one item. */
export type Result<N extends Name> = Endpoints[N]['answer']

/** One id for each parameter in a path. */
export type Ids<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${string}/${infer Tail}`
    ? [id: string, ...Ids<`/${Tail}`>]
    : [id: string]
  : []
