import { z } from 'zod'
import { versions } from '../versions.js'
import { serviceJwk } from './encryption.js'
import type { Endpoint, Family } from './endpoint.js'
import { times } from './examples.js'

const publicKey = z.object({ kty: z.string(), kid: z.string(), use: z.string(), alg: z.string() }).catchall(z.string())

const endpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/ping',
    summary: 'Whether the service answers',
    description: 'With or without a key; `message` is `pong`.',
    auth: 'none',
    answer: z.null(),
    shape: 'wrapped',
    example: { answer: null },
  },
  {
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
          { kty: 'OKP', kid: 'k1', use: 'sig', alg: 'EdDSA', crv: 'Ed25519', x: '…' },
          { ...serviceJwk, id: serviceJwk.kid, status: 'active', ...times },
        ],
      },
    },
  },
  {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description, as OpenAPI 3.1',
    description: 'Of the version of `version`, else of the Service-Version header, else of the newest.',
    auth: 'none',
    query: {
      version: z.enum(versions),
      mount: z.enum(['root', 'enveloped']).describe('enveloped: of the second mount, where every body is wrapped'),
    },
    answer: z.object({ openapi: z.string() }).catchall(z.unknown()),
    shape: 'raw',
    errors: ['INVALID_VERSION', 'INVALID_REQUEST'],
    example: { answer: { openapi: '3.1.0' } },
  },
  {
    method: 'GET',
    path: '/docs',
    summary: 'The reference page',
    auth: 'none',
    query: { version: z.enum(versions) },
    answer: z.string(),
    shape: 'raw',
    type: 'text/html',
    errors: ['INVALID_VERSION'],
    example: { answer: '<!doctype html>…' },
  },
  {
    method: 'GET',
    path: '/docs/style.css',
    summary: "The reference page's style",
    auth: 'none',
    answer: z.string(),
    shape: 'raw',
    type: 'text/css',
    example: { answer: ':root { … }' },
  },
]

export const serviceFamily: Family = {
  name: 'Service',
  about: 'What needs no key.',
  endpoints,
}
