import { z } from 'zod'
import { key, newKey, team } from '../resources/team.js'
import { versions } from '../versions.js'
import { type Endpoint, type Family, paging } from './endpoint.js'
import * as examples from './examples.js'
import { sourceErrors } from './payments.js'

const link = z.url({ protocol: /^https$/ }).nullable()
const limit = z.int().min(1).nullable()
const {
  created_at: _c,
  updated_at: _u,
  id: _i,
  parent_id: _p,
  name: _n,
  default_encryption_key: _d,
  ...settings
} = team.shape

const patch = z
  .strictObject({
    ...settings,
    version: z.enum(versions),
    payment_description: z.string().min(1).max(10),
    allowed_origins: z.array(z.string()).max(20),
    brand: z
      .strictObject({
        name: z.string().min(1).max(60),
        logo: link,
        primary_color: z
          .string()
          .regex(/^#[0-9a-f]{6}$/i)
          .nullable(),
        support_url: link,
        privacy_url: link,
      })
      .partial(),
    limits: z.strictObject({ payment_amount_max: limit, payments_per_month: limit }).partial(),
    phone_proof_days: z.int().min(1).max(30).nullable(),
  })
  .partial()

const fresh = { ...examples.key, value: 'sk_…' }

const endpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/team',
    summary: 'Retrieve the team',
    answer: team,
    example: { answer: examples.team },
  },
  {
    method: 'PATCH',
    path: '/team',
    summary: "Change the team's settings",
    description: 'What is left out stays, inside `brand` and `limits` too. `version` only moves forward.',
    body: patch,
    answer: team,
    errors: sourceErrors,
    example: { request: { payment_description: 'Northwind' }, answer: examples.team },
  },
  {
    method: 'GET',
    path: '/teams',
    summary: 'List child teams',
    description: 'Those right below the team, with their settings.',
    query: paging,
    answer: team,
    shape: 'list',
    example: { answer: [{ ...examples.team, name: 'Northwind Auto', parent_id: examples.team.id }] },
  },
  {
    method: 'POST',
    path: '/teams',
    summary: 'Create a child team',
    description: 'Its first key is in the answer, this once.',
    body: z.object({ name: z.string().min(1).max(100) }),
    answer: team.extend({ key: newKey }),
    example: {
      request: { name: 'Northwind Auto' },
      answer: { ...examples.team, name: 'Northwind Auto', parent_id: examples.team.id, key: fresh },
    },
  },
  {
    method: 'GET',
    path: '/team/keys',
    summary: 'List live keys',
    answer: key,
    shape: 'list',
    example: { answer: [examples.key] },
  },
  {
    method: 'POST',
    path: '/team/keys',
    summary: 'Create a key',
    description: 'Two can be live, so that one can be replaced without a gap.',
    body: z.object({}),
    answer: newKey,
    example: { request: {}, answer: fresh },
  },
  {
    method: 'DELETE',
    path: '/team/keys/:key_id',
    summary: 'Revoke a key',
    description: 'Not the last one.',
    answer: z.null(),
    shape: 'gone',
    example: { answer: null },
  },
]

export const teamFamily: Family = {
  name: 'Team',
  about: "The team's settings and its secret keys.",
  endpoints,
}
