import { z } from 'zod'
import { versions } from '../versions.js'
import { serviceJwk } from './encryption.js'
import { endpoint, type Family } from './endpoint.js'
import { times } from './examples.js'

const publicKey = z.object({ kty: z.string(), kid: z.string(), use: z.string(), alg: z.string() }).catchall(z.string())

export const endpoints = {
  ping: endpoint({
    method: 'GET',
    path: '/ping',
    summary: 'Whether the service answers',
    description: 'With or without a key; `message` is `pong`.',
    auth: 'none',
    answer: z.null(),
    shape: 'wrapped',
    example: { answer: null },
  }),
  listServiceKeys: endpoint({
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'The public keys of the service',
    description:
      'With `use` `sig`: what a signed `result` of an element is checked with. With `use` `enc`: what requests are encrypted to.',
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
    summary: 'This description, as OpenAPI 3.1',
    description:
      'Describes the version of `version`, else of the Service-Version header, else the latest; and the mount of `mount`, else the one that the request came by.',
    auth: 'none',
    query: {
      version: z.enum(versions),
      mount: z
        .enum(['root', 'enveloped'])
        .describe('enveloped: the second mount, where every body is wrapped. By default the mount of the request'),
    },
    answer: z.object({ openapi: z.string() }).catchall(z.unknown()),
    shape: 'raw',
    errors: ['INVALID_VERSION', 'INVALID_REQUEST'],
    example: { answer: { openapi: '3.1.0' } },
  }),
  retrieveMerchantLogo: endpoint({
    method: 'GET',
    path: '/assets/merchants/:file',
    summary: "A merchant's logo, drawn by the sandbox",
    description: 'Named by the merchant, as in `logo` of a merchant.',
    auth: 'none',
    answer: z.string(),
    shape: 'raw',
    type: 'image/svg+xml',
    example: { answer: '<svg …' },
  }),
  retrieveCardArt: endpoint({
    method: 'GET',
    path: '/assets/cards/:file',
    summary: "A card's art, drawn by the sandbox",
    description: 'Named by the design, as in `url` of a card brand.',
    auth: 'none',
    answer: z.string(),
    shape: 'raw',
    type: 'image/svg+xml',
    example: { answer: '<svg …' },
  }),
  retrieveReference: endpoint({
    method: 'GET',
    path: '/docs',
    summary: 'The reference page',
    description: 'Describes every endpoint, for people. `/openapi.json` describes the same for tools.',
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
    summary: "The reference page's style",
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
  about: 'What needs no key.',
  endpoints,
}
