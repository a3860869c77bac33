import { z } from 'zod'
import { type Endpoint, type Family, paging } from '../declaration/endpoint.js'
import type { ErrorSubType } from '../errors.js'
import { recordStatuses, resourceError, timestamp } from '../fields/shared.js'
import type { SharedData } from '../session.js'

/** The fields at the beginning of every account record. */
export const accountRecord = { id: z.string(), account_id: z.string(), status: z.enum(recordStatuses) }
/** The fields at the beginning of every entity record. */
export const entityRecord = { id: z.string(), entity_id: z.string(), status: z.enum(recordStatuses) }
/** The fields at the end of every record. */
export const recordEnd = { error: resourceError.nullable(), created_at: timestamp, updated_at: timestamp }

/** Base paths of the accounts and entities that hold records. */
const bases = { account: '/accounts/:acc_id', entity: '/entities/:ent_id' } as const

/** Errors that a request for a new record can return. */
const refusals = {
  account: [
    'PRODUCT_UNAVAILABLE',
    'TEAM_CAPABILITY_RESTRICTED',
    'PRODUCT_CONSENT_MISSING',
    'PRODUCT_VERIFICATION_MISSING',
  ],
  entity: [
    'ENTITY_VERIFICATION_MISSING',
    'INVALID_ENTITY_TYPE',
    'PRODUCT_UNAVAILABLE',
    'TEAM_CAPABILITY_RESTRICTED',
    'PRODUCT_CONSENT_MISSING',
  ],
} as const satisfies Record<string, readonly ErrorSubType[]>

/** The endpoints for a product's records. */
interface Records {
  /** The singular and plural names in operation ids: `Balance`, `Balances`. */
  readonly ids: readonly [one: string, many: string]
  /** The singular name with its article: `a balance`. */
  readonly one: string
  readonly many: string
  readonly example: unknown
  readonly create: { readonly description: string; readonly body?: z.ZodType; readonly request?: unknown }
  readonly query?: Endpoint['query']
  /** False if there is no list endpoint. */
  readonly listed?: false
  /** The scope that a secret key needs for all of these endpoints. */
  readonly scope?: Endpoint['scope']
}

/** A product's declaration. The lists of products, events, ids and endpoints are derived from the declarations. */
export interface Declaration {
  readonly holder: keyof typeof bases
  /** The product's name in the `products` field of a team, an account or an entity. */
  readonly name: string
  /** The names of the product's variants, if each variant is a separate product. */
  readonly variants?: readonly string[]
  /** The last segment of the product's path. */
  readonly path: string
  /** The id prefixes, by kind of record. */
  readonly prefixes: Readonly<Record<string, string>>
  /** The types of events about the records. The first segment of each type is the product's noun. */
  readonly events: readonly [create: string, update: string, ...more: string[]]
  /** The resource's OpenAPI name and schema. */
  readonly resource: readonly [name: string, schema: z.ZodType]
  /** Other resources that the endpoints return. */
  readonly resources?: Readonly<Record<string, z.ZodType>>
  /** Fields of the account or entity that hold the id of the latest record. */
  readonly pointers?: Readonly<Record<string, z.ZodType>>
  /** Fields that the account or entity includes only if `expand[]` names them. */
  readonly expanded?: Readonly<Record<string, z.ZodType>>
  /** True if a connect can request the product for the accounts that it finds. */
  readonly connectable?: true
  /** The subscriptions that a connect can create for the accounts that it finds. */
  readonly enrollable?: readonly string[]
  /** The product's name in the list of products that an element token can request. */
  readonly element?: string
  /** The kind of data that the product shares with the customer, as named on the person's own page. */
  readonly shares: SharedData
  readonly title: string
  readonly about: string
  readonly records?: Records
  /** Additional endpoints, by operation id. */
  readonly endpoints?: Readonly<Record<string, Endpoint>>
}

/** Declares a product and preserves the literal types of its names. */
export const product = <const D extends Declaration>(declared: D): D => declared

/** Returns the noun that begins the product's event types. */
export const nounOf = ({ events }: Pick<Declaration, 'events'>): string => events[0].split('.')[0]!

/** Returns the kind of record that the product creates. */
export const kindOf = ({ prefixes }: Pick<Declaration, 'prefixes'>): string => Object.keys(prefixes)[0]!

/** Returns the product's endpoints by operation id, with its title and introduction for the reference. */
export function familyOf({ title, about, endpoints, records, ...declared }: Declaration): Family {
  return { name: title, about, endpoints: { ...(records && endpointsOf(declared, records)), ...endpoints } }
}

function endpointsOf(
  { holder, name, path: last, resource }: Pick<Declaration, 'holder' | 'name' | 'path' | 'resource'>,
  { ids, one, many, example, create, query, listed, scope }: Records,
): Record<string, Endpoint> {
  const path = `${bases[holder]}/${last}`
  const [, answer] = resource
  // Every consent covers these products.
  const isAgreed = name === 'connect' || name === 'manual_connect'
  const unread = isAgreed ? {} : { errors: ['PRODUCT_CONSENT_MISSING'] as const }
  const expanded = { ...(query && { query }), ...(scope && { scope }) }
  const list: Endpoint = {
    method: 'GET',
    path,
    summary: `List ${many}`,
    query: { ...paging, ...query },
    ...(scope && { scope }),
    answer,
    ...unread,
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
      ...unread,
      example: { answer: example },
    },
  }
}

type Intersection<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never
type Merged<P, K extends string> = Intersection<P extends Readonly<Record<K, infer F>> ? F : never>

/** Merges the same block of several products into a single object. */
export const merged = <P extends Declaration, K extends 'pointers' | 'expanded' | 'prefixes'>(
  products: readonly P[],
  block: K,
): Merged<P, K> => Object.assign({}, ...products.map(each => each[block])) as Merged<P, K>
