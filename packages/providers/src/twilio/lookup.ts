import { HOUR_MS } from '@causeway/contract/time'
import { callTwilio, members, type TwilioContext } from './client.js'
import { createError, errorMeanings } from './errors.js'
import type { TwilioSettings } from './settings.js'

/** A package of data that a lookup returns. Twilio charges for each. */
type Package = 'identity_match' | 'line_type_intelligence' | 'sim_swap'
export type Lookup = Readonly<Record<string, unknown>>

const VOIP_LINES: ReadonlySet<unknown> = new Set(['fixedVoip', 'nonFixedVoip'])

/** Returns the packages that the settings require to refuse a phone. */
export const screeningPackages = (settings: TwilioSettings): Package[] => [
  ...(settings.TWILIO_REFUSE_VOIP === 'on' ? (['line_type_intelligence'] as const) : []),
  ...(settings.TWILIO_REFUSE_SIM_SWAP_HOURS > 0 ? (['sim_swap'] as const) : []),
]

/** @returns the data, or null if Twilio says that there is no such number */
export async function lookUp(
  context: TwilioContext,
  phone: string,
  packages: readonly Package[],
  details: Readonly<Record<string, string>> = {},
): Promise<Lookup | null> {
  const reply = await callTwilio(context, {
    api: 'lookups',
    path: `/v2/PhoneNumbers/${encodeURIComponent(phone)}`,
    query: { Fields: packages.join(), ...details },
  })
  if (!reply.ok) {
    const meaning = errorMeanings.get(reply.code)
    if (meaning === 'ended' || meaning === 'unreachable') return null
    throw createError(context, reply.code)
  }
  return reply.body['valid'] === false ? null : reply.body
}

/** @returns a package's data, or null if Twilio has no data about the number */
export function readPackage(context: TwilioContext, lookup: Lookup, name: Package): Lookup | null {
  const data = members(lookup[name])
  const code = data['error_code']
  if (code === undefined || code === null) return lookup[name] ? data : null
  if (typeof code === 'number' && errorMeanings.get(code) === 'uncovered') return null
  throw createError(context, typeof code === 'number' ? code : null)
}

/** Returns true if the settings refuse a phone of this kind. A phone about which Twilio has no data is accepted. */
export function isRefusedLine(context: TwilioContext, lookup: Lookup): boolean {
  return screeningPackages(context.settings).some(name => {
    const data = readPackage(context, lookup, name)
    return name === 'sim_swap'
      ? data && isRecentSwap(context, members(data['last_sim_swap']))
      : VOIP_LINES.has(data?.['type'])
  })
}

function isRecentSwap({ settings, now }: TwilioContext, { last_sim_swap_date, swapped_in_period }: Lookup): boolean {
  const at = typeof last_sim_swap_date === 'string' ? Date.parse(last_sim_swap_date) : Number.NaN
  // Some carriers say only whether the SIM changed in the period that was agreed on with Twilio.
  if (Number.isNaN(at)) return swapped_in_period === true
  return now() - at < settings.TWILIO_REFUSE_SIM_SWAP_HOURS * HOUR_MS
}

/** Returns true for a phone that the settings refuse. Calls Twilio only if a setting requires it. */
export async function isRefusedPhone(context: TwilioContext, phone: string): Promise<boolean> {
  const packages = screeningPackages(context.settings)
  if (packages.length === 0) return false
  const lookup = await lookUp(context, phone, packages)
  return lookup === null || isRefusedLine(context, lookup)
}
