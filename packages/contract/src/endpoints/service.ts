import { z } from 'zod'
import { endpoint, type Family } from '../declaration/endpoint.js'
import { times } from '../declaration/examples.js'
import { versions } from '../versions.js'
import { serviceJwk } from './encryption.js'

const publicKey = z.object({ kty: z.string(), kid: z.string(), use: z.string(), alg: z.string() }).catchall(z.string())

export const endpoints = {
  ping: endpoint({
    method: 'GET',
    path: '/ping',
    summary: 'Check that the service responds',
    description: 'Works with or without a key. The `message` is `pong`.',
    auth: 'none',
    answer: z.null(),
    shape: 'wrapped',
    example: { answer: null },
  }),
  listServiceKeys: endpoint({
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'List the public keys of the service',
    description:
      'Use a key whose `use` is `sig` to verify the signed `result` of an element, and a key whose `use` is `enc` to encrypt requests.',
    auth: 'none',
    answer: z.object({ keys: z.array(publicKey) }),
    shape: 'raw',
    example: {
      answer: {
        keys: [
          { ...serviceJwk, id: serviceJwk.kid, status: 'active', ...times },
          { kty: 'OKP', kid: 'k1', use: 'sig', alg: 'EdDSA', crv: 'Ed25519', x: '…' },
        ],
      },
    },
  }),
  retrieveOpenApi: endpoint({
    method: 'GET',
    path: '/openapi.json',
    summary: 'Retrieve the OpenAPI 3.1 description',
    description:
      'Describes the API version specified by `version`. By default, describes the version in the Service-Version header, or the latest version if there is no such header. Describes the mount specified by `mount`. By default, describes the mount of the request.',
    auth: 'none',
    query: {
      version: z.enum(versions),
      mount: z
        .enum(['root', 'enveloped'])
        .describe('`enveloped`: the second mount, which wraps every body. Default: the mount of the request'),
    },
    answer: z.object({ openapi: z.string() }).catchall(z.unknown()),
    shape: 'raw',
    errors: ['INVALID_VERSION', 'INVALID_REQUEST'],
    example: { answer: { openapi: '3.1.0' } },
  }),
  retrieveMerchantLogo: endpoint({
    method: 'GET',
    path: '/assets/merchants/:file',
    summary: 'Retrieve the sandbox logo of a merchant',
    description: 'The `logo` of a merchant is a URL of this endpoint.',
    auth: 'none',
    answer: z.string(),
    shape: 'raw',
    type: 'image/svg+xml',
    example: { answer: '<svg …' },
  }),
  retrieveCardArt: endpoint({
    method: 'GET',
    path: '/assets/cards/:file',
    summary: 'Retrieve the sandbox art of a card',
    description: 'The `url` of a card brand is a URL of this endpoint.',
    auth: 'none',
    answer: z.string(),
    shape: 'raw',
    type: 'image/svg+xml',
    example: { answer: '<svg …' },
  }),
  retrieveReference: endpoint({
    method: 'GET',
    path: '/docs',
    summary: 'Retrieve the reference page',
    description:
      'A human-readable description of every endpoint. For tools, `/openapi.json` describes the same endpoints.',
    auth: 'none',
    query: { version: z.enum(versions) },
    answer: z.string(),
    shape: 'raw',
    type: 'text/html',
    errors: ['INVALID_VERSION'],
    example: { answer: '<!doctype html>…' },
  }),
  retrieveReferenceStyle: endpoint({
    method: 'GET',
    path: '/docs/style.css',
    summary: 'Retrieve the style sheet of the reference page',
    description: 'The style sheet that `/docs` loads.',
    auth: 'none',
    answer: z.string(),
    shape: 'raw',
    type: 'text/css',
    example: { answer: ':root { … }' },
  }),
}

export const serviceFamily: Family = {
  name: 'Service',
  about: 'Endpoints that require no key.',
  endpoints,
}
