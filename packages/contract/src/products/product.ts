import { z } from 'zod'
import { type Endpoint, type Family, paging } from '../endpoints/endpoint.js'
import type { ErrorSubType } from '../errors.js'
import { recordStatuses, resourceError, timestamp } from '../resources/shared.js'

/** The fields that every record of an account begins with. */
export const accountRecord = { id: z.string(), account_id: z.string(), status: z.enum(recordStatuses) }
/** The fields that every record of an entity begins with. */
export const entityRecord = { id: z.string(), entity_id: z.string(), status: z.enum(recordStatuses) }
/** The fields that every record ends with. */
export const tail = { error: resourceError.nullable(), created_at: timestamp, updated_at: timestamp }

/** Paths of the holders. */
const bases = { account: '/accounts/:acc_id', entity: '/entities/:ent_id' } as const

/** Request errors of a POST. */
const refusals = {
  account: ['PRODUCT_UNAVAILABLE', 'TEAM_CAPABILITY_RESTRICTED', 'PRODUCT_VERIFICATION_MISSING'],
  entity: ['ENTITY_VERIFICATION_MISSING', 'INVALID_ENTITY_TYPE', 'PRODUCT_UNAVAILABLE', 'TEAM_CAPABILITY_RESTRICTED'],
} as const satisfies Record<string, readonly ErrorSubType[]>

/** The endpoints of a product's records. */
interface Records {
  /** As the operation ids name one and several: `Balance`, `Balances`. */
  readonly ids: readonly [one: string, many: string]
  /** With its article: `a balance`. */
  readonly one: string
  readonly many: string
  readonly example: unknown
  readonly create: { readonly description: string; readonly body?: z.ZodType; readonly request?: unknown }
  readonly query?: Endpoint['query']
  /** False where there is no list. */
  readonly listed?: false
  /** Scope of a secret key, for all of them. */
  readonly scope?: Endpoint['scope']
}

/** A product: everything that the API promises of it. The lists of products, events, ids and endpoints follow from it. */
export interface Declaration {
  readonly holder: keyof typeof bases
  /** Its name among the products of a team and of its holder. */
  readonly name: string
  /** Its names there, if each of its variants is a product. */
  readonly variants?: readonly string[]
  /** The last segment of its path. */
  readonly path: string
  /** The prefix of its ids, by the kind of its records. */
  readonly prefixes: Readonly<Record<string, string>>
  /** The events of its records; their first segment is its noun. */
  readonly events: readonly [create: string, update: string, ...more: string[]]
  /** The resource as the document names it, and its schema. */
  readonly resource: readonly [name: string, schema: z.ZodType]
  /** Other resources of its endpoints. */
  readonly resources?: Readonly<Record<string, z.ZodType>>
  /** Fields of the holder that hold the id of the latest record. */
  readonly pointers?: Readonly<Record<string, z.ZodType>>
  /** Fields that the holder has only where `expand[]` names them. */
  readonly expanded?: Readonly<Record<string, z.ZodType>>
  /** True if a connect can request it for the accounts that it finds. */
  readonly connectable?: true
  /** Its subscriptions that a connect can enroll those accounts in. */
  readonly enrollable?: readonly string[]
  /** Its name among the products that an element token can ask for. */
  readonly element?: string
  readonly title: string
  readonly about: string
  readonly records?: Records
  /** Further endpoints, by operation id. */
  readonly endpoints?: Readonly<Record<string, Endpoint>>
}

/** Declares a product, and keeps the types of its names. */
export const product = <const D extends Declaration>(declared: D): D => declared

/** The noun of its events. */
export const nounOf = ({ events }: Pick<Declaration, 'events'>): string => events[0].split('.')[0]!

/** The kind of its records. */
export const kindOf = ({ prefixes }: Pick<Declaration, 'prefixes'>): string => Object.keys(prefixes)[0]!

/** Its endpoints with their operation ids, and how the reference introduces them. */
export function familyOf({ title, about, endpoints, records, ...declared }: Declaration): Family {
  return { name: title, about, endpoints: { ...(records && endpointsOf(declared, records)), ...endpoints } }
}

function endpointsOf(
  { holder, path: last, resource }: Pick<Declaration, 'holder' | 'path' | 'resource'>,
  { ids, one, many, example, create, query, listed, scope }: Records,
): Record<string, Endpoint> {
  const path = `${bases[holder]}/${last}`
  const [, answer] = resource
  const expanded = { ...(query && { query }), ...(scope && { scope }) }
  const list: Endpoint = {
    method: 'GET',
    path,
    summary: `List ${many}`,
    query: { ...paging, ...query },
    ...(scope && { scope }),
    answer,
    shape: 'list',
    example: { answer: [example] },
  }
  return {
    [`create${ids[0]}`]: {
      method: 'POST',
      path,
      summary: `Request ${one}`,
      description: create.description,
      ...expanded,
      body: create.body ?? z.object({}),
      answer,
      errors: refusals[holder],
      example: { request: create.request ?? {}, answer: example },
    },
    ...(listed === false ? {} : { [`list${ids[1]}`]: list }),
    [`retrieve${ids[0]}`]: {
      method: 'GET',
      path: `${path}/:id`,
      summary: `Retrieve ${one}`,
      ...expanded,
      answer,
      example: { answer: example },
    },
  }
}

type Intersection<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never
type Merged<P, K extends string> = Intersection<P extends Readonly<Record<K, infer F>> ? F : never>

/** The entries of one block of several products, as one object. */
export const merged = <P extends Declaration, K extends 'pointers' | 'expanded' | 'prefixes'>(
  products: readonly P[],
  block: K,
): Merged<P, K> => Object.assign({}, ...products.map(each => each[block])) as Merged<P, K>
