/**
 * The requests that the `/enveloped` mount accepts beyond those of the root mount, for client libraries and back ends
 * that already exist. Everything else is the same on both mounts.
 */

import type { Endpoint } from '@causeway/contract/declaration/endpoint'
import { elementConnect } from '@causeway/contract/endpoints/elements'
import { jwkOfAnyAlgorithm } from '@causeway/contract/endpoints/encryption'
import { endpoints } from '@causeway/contract/endpoints/table'
import { ServiceError } from '@causeway/contract/errors'
import { webhookAliases, webhookTypes } from '@causeway/contract/events'
import { weakHmacSecret } from '@causeway/contract/resources/webhook'
import { type Version, versions } from '@causeway/contract/versions'
import { z } from 'zod'
import type { Body } from './step.js'

/** A difference between the mounts in one endpoint's body. */
interface Difference {
  /** The last version that has the difference. Default: all versions. */
  readonly until?: Version
  /** Returns the mount's schema, given the root mount's schema in the same version. */
  readonly body?: (root: z.ZodObject) => z.ZodType
  /** Converts a body, before it is parsed, to one that the schema of the root mount accepts. */
  readonly read?: (body: Body) => Body
}

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Moves fields out of the `connect` block of an element token. */
function liftFromConnect(body: Body): Body {
  const { connect } = body
  if (!isObject(connect)) return body
  const { entity_id, redirect_url, ...rest } = connect
  const lifted: Body = { ...body, connect: rest }
  for (const [name, value] of Object.entries({ entity_id, redirect_url })) {
    if (value === undefined || value === null) continue
    if ((body[name] ?? value) !== value)
      throw new ServiceError('INVALID_REQUEST', `connect.${name} must equal ${name}. Send it once, outside connect.`)
    lifted[name] = value
  }
  return lifted
}

/**
 * Reads an RSA key that names an algorithm of another use. The service encrypts with the only algorithm that it has, and
 * its response names that one.
 */
function readAnyRsaKey(body: Body): Body {
  const { jwk } = body
  return isObject(jwk) && jwk['kty'] === 'RSA' && typeof jwk['alg'] === 'string'
    ? { ...body, jwk: { ...jwk, alg: 'RSA-OAEP-256' } }
    : body
}

const differencesByEndpoint: Readonly<Record<string, Difference>> = {
  'POST /webhooks': {
    body: root =>
      root.safeExtend({
        type: z.enum([...webhookTypes, ...Object.keys(webhookAliases)], {
          error: 'must be one of the event types, such as payment.update',
        }),
        hmac_secret: weakHmacSecret,
      }),
  },
  'POST /webhooks/:whk_id/rotate': { body: root => root.safeExtend({ hmac_secret: weakHmacSecret }) },
  'POST /teams/mle/public_keys': {
    body: root => root.safeExtend({ jwk: jwkOfAnyAlgorithm.optional() }),
    read: readAnyRsaKey,
  },
  'POST /elements/token': {
    body: root =>
      root.safeExtend({
        connect: elementConnect
          .extend({
            entity_id: z.string().nullish().describe('The same as `entity_id` outside `connect`'),
            redirect_url: z.string().max(2_000).nullish().describe('The same as `redirect_url` outside `connect`'),
          })
          .optional(),
      }),
    read: liftFromConnect,
  },
  'POST /accounts/:acc_id/subscriptions': {
    // The earliest client libraries of this version have the plural.
    until: '2024-04-04',
    read: body => (body['enroll'] === 'transactions' ? { ...body, enroll: 'transaction' } : body),
  },
}

const endpointsByName = new Map<string, Endpoint>(endpoints.map(each => [`${each.method} ${each.path}`, each]))
const schemasByRoot = new WeakMap<z.ZodType, z.ZodType>()

/** Returns a schema that is created once for each schema of the root mount. */
function schemaFor(difference: Difference, root: z.ZodType): z.ZodType {
  if (!difference.body) return root
  const schema = schemasByRoot.get(root) ?? difference.body(root as z.ZodObject)
  schemasByRoot.set(root, schema)
  return schema
}

/**
 * Returns how the `/enveloped` mount reads an endpoint's body, or undefined if it reads it as the root mount does.
 * @param endpoint such as `POST /webhooks`
 * @param root the root mount's schema in the version, if the version has its own
 */
export function envelopedAt(
  version: Version,
  endpoint: string,
  root: z.ZodType | undefined,
): { readonly body: z.ZodType; read(body: unknown): unknown } | undefined {
  const difference = differencesByEndpoint[endpoint]
  if (!difference) return undefined
  if (difference.until && versions.indexOf(version) > versions.indexOf(difference.until)) return undefined
  return {
    body: schemaFor(difference, root ?? endpointsByName.get(endpoint)!.body!),
    read: body => (difference.read && isObject(body) ? difference.read(body) : body),
  }
}
