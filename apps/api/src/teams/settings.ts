import { ServiceError } from '@causeway/contract/errors'
import { isVersion, type Version, versions } from '@causeway/contract/versions'
import { z } from 'zod'
import { parse } from '../http/body.js'
import { readOrigin, readUrl } from './origin.js'
import { type Team, type TeamSettings, teamProducts } from './team.js'

const MAX_ORIGINS = 20
const IDENTITY_METHODS = ['element', 'opal', 'kba', 'sna', 'sms', 'byo_sms', 'byo_kyc'] as const
/** Whether a name reads as it is written: no control character, none that is invisible or turns what follows around. */
export const isPlain = (text: string): boolean => !/[\p{Cc}\p{Bidi_Control}\u200b\u2060\ufeff]/u.test(text)

const link = z.string().nullable()
const limit = z.int().min(1).nullable()
const listOf = <T extends readonly string[]>(values: T) =>
  z.array(z.enum(values)).transform(list => [...new Set(list)] as string[])

const patch = z.strictObject({
  version: z.string(),
  default_source_account: z.string().nullable(),
  payment_description: z
    .string()
    .min(1)
    .max(10)
    .regex(/^\P{Cc}*$/u, 'payment_description must hold no control characters.'),
  allowed_origins: z.array(z.string()).max(MAX_ORIGINS),
  brand: z
    .strictObject({
      name: z
        .string()
        .min(1)
        .max(60)
        .refine(isPlain, 'brand.name must hold no character that is invisible or turns the text around.'),
      logo: link,
      primary_color: z
        .string()
        .regex(/^#[0-9a-f]{6}$/i, 'brand.primary_color must be a colour such as #1a7f5a.')
        .nullable(),
      support_url: link,
      privacy_url: link,
    })
    .partial(),
  appearance: z.enum(['light', 'dark', 'system']),
  products: listOf(teamProducts),
  identity_methods: listOf(IDENTITY_METHODS),
  forwarding_allow_list: z.array(z.string()).max(50),
  webhook_schedule: z.enum(['standard', 'long']),
  ach_destinations: z.boolean(),
  limits: z.strictObject({ payment_amount_max: limit, payments_per_month: limit }).partial(),
  phone_proof_days: z.int().min(1).max(30).nullable(),
})

/**
 * What a PATCH changes of a team: what is not in it stays, inside `brand` and `limits` too. Whether an account named as
 * default source exists is the caller's to check. Throws INVALID_REQUEST, or INVALID_VERSION.
 */
export function readSettings(
  team: Team,
  body: Record<string, unknown>,
  sandbox: boolean,
): { settings: TeamSettings; version?: Version } {
  const { version, brand, limits, ...rest } = parse(patch.partial(), body)
  for (const field of ['logo', 'support_url', 'privacy_url'] as const)
    if (brand?.[field]) readUrl(brand[field], `brand.${field}`, sandbox)
  if (rest.allowed_origins)
    rest.allowed_origins = [
      ...new Set(rest.allowed_origins.map((text, index) => readOrigin(text, `allowed_origins[${index}]`, sandbox))),
    ]
  for (const [index, text] of (rest.forwarding_allow_list ?? []).entries())
    readUrl(text, `forwarding_allow_list[${index}]`, sandbox)
  const settings = {
    ...team.settings,
    ...rest,
    brand: { ...team.settings.brand, ...brand },
    limits: { ...team.settings.limits, ...limits },
  } as TeamSettings
  return version === undefined ? { settings } : { settings, version: readVersion(team, version) }
}

/** The version of a team only moves forward. */
function readVersion(team: Team, text: string): Version {
  if (!isVersion(text)) throw new ServiceError('INVALID_VERSION', `version must be one of: ${versions.join(', ')}.`)
  if (versions.indexOf(text) < versions.indexOf(team.version))
    throw new ServiceError('INVALID_REQUEST', `version only moves forward, and the team is at ${team.version}.`)
  return text
}
