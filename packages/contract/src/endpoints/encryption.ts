import { z } from 'zod'
import { address, endpoint, type Family, paging } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { publicJwk, serviceKey, teamPublicKey } from '../resources/encryption.js'
import { team } from '../resources/team.js'
import { emailText } from '../text.js'

/** The modulus of a throwaway key, used in the examples. */
const n =
  'wYEA4PrbA6bYvmGLARHPAR9F4takaPUP3lkvtBfj-80FTN38T83Mx_ioCL0A5IOt0AIPADI8UcWuybWN_yI4Xaa9sxzkafXYLE30' +
  'nTN4kvCviuIpqF_Xm_fZthsmySasqA451LxWvSr17kUPlVfD_biS900jlyA00dji85KsnnAwK8FIncHi9QLVpsqxmmZuNc8Isb42' +
  'p_eOsE_P5VpiLdzr98MpbSIdRmjFM9WJGoMgmRkzSu3NOhriJb8a6Io7__nXzaqaTrA-EI27CtDR7jPLfdD1-QqXl7m8i_vxRQ5k' +
  'ruonFiISf6y-HX_Hjyyf6K4aXBvnsLULVEBLHX0z1w'
const jwk = { kty: 'RSA', kid: 'northwind-2026', n, e: 'AQAB', alg: 'RSA-OAEP-256', use: 'enc' }
export const serviceJwk = { ...jwk, kid: 'svc_jwk_4kYq8ZbT1mXe7' }

const direct = {
  id: 'team_jwk_4kYq8ZbT1mXe8',
  type: 'direct',
  contact: 'security@northwind.example',
  jwk,
  well_known_endpoint: null,
  status: 'active',
  ...examples.times,
}
const request = { type: 'direct', contact: direct.contact, jwk }

/**
 * Accepts any value. The code that uses the key validates the key's members, so that the error can name the invalid
 * member.
 */
const anyJwkLike = (schema: z.ZodType) =>
  z
    .unknown()
    .describe('Required if `type` is `direct`')
    .meta(z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>)
const anyJwk = anyJwkLike(publicJwk)
/** A key on the mount for existing clients, which may name any algorithm. */
export const jwkOfAnyAlgorithm = anyJwkLike(publicJwk.extend({ alg: z.string().max(20).optional() }))

const keyFields = z.strictObject({
  type: z.enum(['direct', 'well_known']),
  contact: emailText('must be an email address, such as security@example.com').nullable(),
  jwk: anyJwk.optional(),
  well_known_endpoint: address.nullish().describe('Required if `type` is `well_known`'),
})

/** Requires the field that matches the type and rejects the other field. The default type is `direct`. */
const ofItsType = <
  S extends z.ZodType<{ type?: string | undefined; jwk?: unknown; well_known_endpoint?: string | null | undefined }>,
>(
  fields: S,
): S =>
  fields
    .refine(
      ({ type, well_known_endpoint: url }) => type === 'well_known' || url == null,
      'well_known_endpoint is allowed only for type well_known.',
    )
    .refine(({ type, jwk }) => type !== 'well_known' || jwk == null, 'jwk is allowed only for type direct.')
    .refine(
      ({ type, well_known_endpoint: url }) => type !== 'well_known' || url != null,
      'well_known_endpoint is required for type well_known: the https URL of a key set.',
    )

const newPublicKey = ofItsType(keyFields)
/** The request body in versions up to 2025-12-01, which require only `jwk`. */
export const olderPublicKey = ofItsType(keyFields.partial())

export const endpoints = {
  createPublicKey: endpoint({
    method: 'POST',
    path: '/teams/mle/public_keys',
    scope: 'admin',
    summary: 'Register a public key',
    description:
      'Send `direct` with `jwk`, or `well_known` with `well_known_endpoint`, the HTTPS URL of a key set of at most 16 kB. The service fetches the key set regularly. Each `kid` can be registered once. A team can have at most 20 keys.',
    body: newPublicKey,
    answer: teamPublicKey,
    example: { request, answer: direct },
  }),
  listPublicKeys: endpoint({
    method: 'GET',
    path: '/teams/mle/public_keys',
    summary: 'List active public keys',
    query: paging,
    answer: teamPublicKey,
    shape: 'list',
    example: { answer: [direct] },
  }),
  retrievePublicKey: endpoint({
    method: 'GET',
    path: '/teams/mle/public_keys/:team_jwk_id',
    summary: 'Retrieve a public key',
    answer: teamPublicKey,
    example: { answer: direct },
  }),
  deletePublicKey: endpoint({
    method: 'DELETE',
    path: '/teams/mle/public_keys/:team_jwk_id',
    scope: 'admin',
    summary: 'Delete a public key',
    description:
      'You cannot undo this. The service no longer uses the key to encrypt responses. If it was the default key, the team no longer has one.',
    answer: teamPublicKey,
    example: { answer: { ...direct, status: 'deleted' } },
  }),
  setDefaultEncryptionKey: endpoint({
    method: 'POST',
    path: '/teams/default_encryption_key',
    scope: 'admin',
    summary: 'Set the default public key',
    description:
      'The service uses this key to encrypt a response if the request has no body or does not name a key in `cid`. `key` is the `kid` or the id of a registered key.',
    body: z.strictObject({ key: z.string().min(1).max(200) }),
    answer: team,
    example: { request: { key: jwk.kid }, answer: { ...examples.team, default_encryption_key: jwk.kid } },
  }),
  retrieveServiceKey: endpoint({
    method: 'GET',
    path: '/auth/:jwk_id',
    summary: 'Retrieve a service key',
    description: 'Returns the public key that has this `kid` in the key set. Use it to encrypt requests.',
    auth: 'none',
    answer: serviceKey,
    example: {
      answer: {
        id: serviceJwk.kid,
        jwk: serviceJwk,
        jwk_thumbprint: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
        status: 'active',
        ...examples.times,
      },
    },
  }),
}

export const encryptionFamily: Family = {
  name: 'Encryption keys',
  about:
    'Keys for message-level encryption, in addition to TLS. With `Service-MLE: jwe`, the body is `{ "encrypted": "<compact JWE>" }`: the request is encrypted to one of the service\'s keys, and the response to one of the team\'s keys.',
  endpoints,
}
