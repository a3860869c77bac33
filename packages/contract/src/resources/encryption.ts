import { z } from 'zod'
import { timestamp } from '../fields/shared.js'

/** A public RSA key for message encryption, as a JSON Web Key. */
export const publicJwk = z.object({
  kty: z.literal('RSA'),
  kid: z.string().describe('The key id, which the header of an encrypted message contains'),
  n: z.string().describe('The modulus, base64url: 2048 to 8192 bits'),
  e: z.string().describe('The exponent, base64url: usually `AQAB`'),
  alg: z.literal('RSA-OAEP-256').optional(),
  use: z.literal('enc').optional(),
})

/** A team's key. The service uses it to encrypt responses. */
export const teamPublicKey = z.object({
  id: z.string(),
  type: z
    .enum(['direct', 'well_known'])
    .describe('`direct`: the key is in `jwk`. `well_known`: the service fetches it'),
  contact: z.string().nullable().describe('An email address for questions about the key'),
  jwk: publicJwk.nullable().describe('Null if `type` is `well_known`'),
  well_known_endpoint: z.string().nullable().describe('The HTTPS URL of the key set'),
  status: z.enum(['active', 'deleted']),
  created_at: timestamp,
  updated_at: timestamp,
})

/** The service's key. Clients use it to encrypt requests. */
export const serviceKey = z.object({
  id: z.string().describe('The `kid` of the key'),
  jwk: publicJwk,
  jwk_thumbprint: z.string().describe('The SHA-256 thumbprint of the key (RFC 7638), base64url'),
  status: z
    .enum(['active', 'deprecated', 'disabled'])
    .describe(
      '`active`: use this key. `deprecated`: the key is still accepted; replace it soon. `disabled`: the key is rejected',
    ),
  created_at: timestamp,
  updated_at: timestamp,
})
