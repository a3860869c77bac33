import { z } from 'zod'
import { address, endpoint, type Family, paging } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { keyScopes } from '../fields/key-scopes.js'
import { ALL_INSTRUMENTS, identityMethods, teamProducts } from '../fields/names.js'
import { MAX_DESCRIPTION_LENGTH } from '../money.js'
import { key, newKey, newTeam, team } from '../resources/team.js'
import { accountSharings } from '../session.js'
import { achText, emailText, idText, nameText, optionalLine, text } from '../text.js'
import { MAX_ADDRESS_LENGTHS } from '../values/name.js'
import { isVersion, type Version, versions } from '../versions.js'
import { sourceErrors } from './payments.js'

const limit = z.int().min(1).nullable()
const listOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z
    .array(z.enum(values))
    .max(100)
    .overwrite(list => [...new Set(list)])

/** The legal details of a team. The service stores them encrypted. */
const details = {
  legal_name: nameText(100).nullable(),
  ein: text({ max: 10, pattern: /^\d{2}-?\d{7}$/, error: 'must be nine digits, such as 12-3456789' })
    .overwrite(ein => ein.replace('-', ''))
    .nullable(),
  contacts: z
    .array(
      z.strictObject({
        name: nameText(100),
        email: emailText('must be an email address, such as ana@example.com'),
        type: nameText(40),
      }),
    )
    .max(20),
  address: z
    .strictObject({
      line1: nameText(200),
      line2: optionalLine(MAX_ADDRESS_LENGTHS.line2).nullish(),
      city: nameText(100),
      state: nameText(100),
      zipcode: nameText(20),
      country: nameText(60),
    })
    .nullable(),
}

/** The settings that a team may change. The resource schema describes each one. */
const patch = z
  .strictObject({
    version: z
      .string()
      .max(64, { error: 'INVALID_VERSION', abort: true })
      .refine(isVersion, 'INVALID_VERSION')
      .transform(text => text as Version)
      .meta({ enum: versions }),
    default_source_account: idText.nullable(),
    payment_description: achText(MAX_DESCRIPTION_LENGTH),
    allowed_origins: z.array(z.string().max(300)).max(20),
    brand: z
      .strictObject({
        name: nameText(60),
        logo: address.nullable(),
        primary_color: text({
          max: 7,
          pattern: /^#[0-9a-f]{6}$/i,
          error: 'must be a color such as #1a7f5a',
        }).nullable(),
        support_url: address.nullable(),
        privacy_url: address.nullable(),
      })
      .partial(),
    appearance: z.enum(['light', 'dark', 'system']),
    products: z.array(z.enum([...teamProducts, ALL_INSTRUMENTS])).max(100),
    identity_methods: listOf(identityMethods),
    forwarding_allow_list: z.array(z.string().max(2_000)).max(50),
    webhook_schedule: z.enum(['standard', 'long']),
    ach_destinations: z.boolean(),
    limits: z
      .strictObject({ payment_amount_max: limit, payments_per_month: limit, sensitive_reads_per_day: limit })
      .partial(),
    require_encryption: z.boolean(),
    phone_proof_days: z.int().min(0).max(30).nullable(),
    account_sharing: z.enum(accountSharings).nullable(),
    ...details,
  })
  .partial()

const fresh = { ...examples.key, value: 'sk_…' }
const child = { ...examples.team, name: 'Northwind Auto', parent_id: examples.team.id }

const once =
  'The `value` is returned once and never stored, so a request that repeats an Idempotency-Key returns null in its place.'
const scopes = z
  .array(z.enum(keyScopes))
  .min(1)
  .max(100)
  .describe('Default: the scopes of the key that makes the request')

const unspent = 'The service rejects unused Element and Opal tokens that a revoked key created, including hosted links.'

/** Specifies what happens to keys that the revoked key created. */
const revoking = {
  created_keys: z
    .enum(['keep', 'revoke'])
    .describe(
      '`revoke` also revokes every key that this key created, directly or indirectly, in this team and the teams below it. Use it for a leaked key. `keep` revokes only this key. Use it for a routine replacement. Required if this key created keys of teams below its own team.',
    ),
}

export const endpoints = {
  retrieveTeam: endpoint({
    method: 'GET',
    path: '/team',
    summary: 'Retrieve the team',
    answer: team,
    example: { answer: examples.team },
  }),
  updateTeam: endpoint({
    method: 'PATCH',
    path: '/team',
    scope: 'admin',
    summary: "Change the team's settings",
    description:
      "Fields that you omit do not change, including those in `brand` and `limits`. `version` can only move forward. `byo_kyc`, `manual_connect`, `ach_destinations` and limits require a grant from the operator. Without the grant, the response is a 403 that contains the operator's command for it.",
    body: patch,
    answer: team,
    errors: [...sourceErrors, 'INVALID_TRANSFER'],
    example: { request: { payment_description: 'Northwind' }, answer: examples.team },
  }),
  listTeams: endpoint({
    method: 'GET',
    path: '/teams',
    summary: 'List child teams',
    description: 'Returns the teams directly below the team, with their settings.',
    query: paging,
    answer: team,
    shape: 'list',
    example: { answer: [child] },
  }),
  createTeam: endpoint({
    method: 'POST',
    path: '/teams',
    scope: 'admin',
    summary: 'Create a child team',
    description: `Requires the \`child_teams\` grant from the operator. Without the grant, the response is a 403 that contains the operator's command for it. The response contains the child's first key, which has the scopes of the key that makes the request. ${once}`,
    body: z.object({ name: nameText() }).extend(z.object(details).partial().shape),
    answer: newTeam,
    example: { request: { name: 'Northwind Auto' }, answer: { ...child, key: fresh } },
  }),
  listTeamKeys: endpoint({
    method: 'GET',
    path: '/teams/:team_id/keys',
    summary: 'List the active keys of a team below this one',
    description: 'The team can be a child team or any team below it.',
    answer: key,
    shape: 'list',
    example: { answer: [examples.key] },
  }),
  revokeTeamKey: endpoint({
    method: 'DELETE',
    path: '/teams/:team_id/keys/:key_id',
    scope: 'admin',
    summary: 'Revoke a key of a team below this one',
    description: `You can revoke the last key of the team. If you do, all requests from that team are rejected until the operator creates a new key for it. ${unspent}`,
    query: revoking,
    answer: z.null(),
    shape: 'gone',
    example: { answer: null },
  }),
  listKeys: endpoint({
    method: 'GET',
    path: '/team/keys',
    summary: 'List active keys',
    answer: key,
    shape: 'list',
    example: { answer: [examples.key] },
  }),
  createKey: endpoint({
    method: 'POST',
    path: '/team/keys',
    scope: 'admin',
    summary: 'Create a key',
    description: `A team can have at most 20 active keys. The new key can have only scopes that the requesting key has. ${once}`,
    body: z.object({ scopes: scopes.optional() }),
    answer: newKey,
    example: { request: { scopes: ['read', 'write'] }, answer: fresh },
  }),
  revokeKey: endpoint({
    method: 'DELETE',
    path: '/team/keys/:key_id',
    scope: 'admin',
    summary: 'Revoke a key',
    description: `The last key cannot be revoked. \`created_keys\` never revokes the key that makes the request. ${unspent}`,
    query: revoking,
    answer: z.null(),
    shape: 'gone',
    example: { answer: null },
  }),
}

export const teamFamily: Family = {
  name: 'Team',
  about: "The team's settings and secret keys.",
  endpoints,
}
