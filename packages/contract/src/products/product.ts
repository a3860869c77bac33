import { z } from 'zod'
import { type Endpoint, type Family, paging } from '../endpoints/endpoint.js'
import type { ErrorSubType } from '../errors.js'
import { recordStatuses, resourceError, timestamp } from '../resources/shared.js'

/** The fields at the start of every record of an account. */
export const accountRecord = { id: z.string(), account_id: z.string(), status: z.enum(recordStatuses) }
/** The fields at the start of every record of an entity. */
export const entityRecord = { id: z.string(), entity_id: z.string(), status: z.enum(recordStatuses) }
/** The fields at the end of every record. */
export const tail = { error: resourceError.nullable(), created_at: timestamp, updated_at: timestamp }

/** Paths of the account and the entity that hold the record. */
const bases = { account: '/accounts/:acc_id', entity: '/entities/:ent_id' } as const

/** Request errors of the POST. */
const refusals = {
  account: ['PRODUCT_UNAVAILABLE', 'TEAM_CAPABILITY_RESTRICTED', 'PRODUCT_VERIFICATION_MISSING'],
  entity: ['ENTITY_VERIFICATION_MISSING', 'INVALID_ENTITY_TYPE', 'PRODUCT_UNAVAILABLE', 'TEAM_CAPABILITY_RESTRICTED'],
} as const satisfies Record<string, readonly ErrorSubType[]>

/** The endpoints of a product's records. */
interface Records {
  /** The singular and the plural in operation ids: `Balance`, `Balances`. */
  readonly ids: readonly [one: string, many: string]
  /** The singular with its article: `a balance`. */
  readonly one: string
  readonly many: string
  readonly example: unknown
  readonly create: { readonly description: string; readonly body?: z.ZodType; readonly request?: unknown }
  readonly query?: Endpoint['query']
  /** False if there is no list endpoint. */
  readonly listed?: false
  /** The scope of a secret key for all of these endpoints. */
  readonly scope?: Endpoint['scope']
}

/** The declaration of a product. The lists of products, events, ids and endpoints are derived from it. */
export interface Declaration {
  readonly holder: keyof typeof bases
  /** The name among the products of a team and of its holder. */
  readonly name: string
  /** The names of its variants, if each variant is a product. */
  readonly variants?: readonly string[]
  /** The last segment of the path. */
  readonly path: string
  /** The id prefixes, by the kind of the records. */
  readonly prefixes: Readonly<Record<string, string>>
  /** The events of the records. Their first segment is the noun of the product. */
  readonly events: readonly [create: string, update: string, ...more: string[]]
  /** The OpenAPI name of the resource, and its schema. */
  readonly resource: readonly [name: string, schema: z.ZodType]
  /** Other resources of the endpoints. */
  readonly resources?: Readonly<Record<string, z.ZodType>>
  /** Fields of the holder that hold the id of the latest record. */
  readonly pointers?: Readonly<Record<string, z.ZodType>>
  /** Fields that the holder has only if `expand[]` names them. */
  readonly expanded?: Readonly<Record<string, z.ZodType>>
  /** True if a connect can request the product for the accounts that it finds. */
  readonly connectable?: true
  /** The subscriptions in which a connect can enroll those accounts. */
  readonly enrollable?: readonly string[]
  /** The name among the products that an element token can request. */
  readonly element?: string
  readonly title: string
  readonly about: string
  readonly records?: Records
  /** Further endpoints, by operation id. */
  readonly endpoints?: Readonly<Record<string, Endpoint>>
}

/** Declares a product and preserves the types of its names. */
export const product = <const D extends Declaration>(declared: D): D => declared

/** Returns the noun of the product's events. */
export const nounOf = ({ events }: Pick<Declaration, 'events'>): string => events[0].split('.')[0]!

/** Returns the kind of the product's records. */
export const kindOf = ({ prefixes }: Pick<Declaration, 'prefixes'>): string => Object.keys(prefixes)[0]!

/** Returns the product's endpoints by operation id, and the introduction of the reference. */
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

/** Merges one block of several products into one object. */
export const merged = <P extends Declaration, K extends 'pointers' | 'expanded' | 'prefixes'>(
  products: readonly P[],
  block: K,
): Merged<P, K> => Object.assign({}, ...products.map(each => each[block])) as Merged<P, K>
