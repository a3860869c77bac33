/** The values of the settings form, and the request that saves the changed ones. Pure. */
import type { Team } from '@causeway/sdk'

/** The values as text, as the fields of the form show them. Amounts are in dollars. */
export interface Draft {
  brand_name: string
  brand_color: string
  support_url: string
  privacy_url: string
  appearance: string
  /** One origin per line. */
  origins: string
  payment_description: string
  payment_amount_max: string
  payments_per_month: string
  /** The id of an account; empty for none. */
  default_source: string
  webhook_schedule: string
}

export interface SettingChange {
  name: keyof Draft
  before: string
  after: string
}

/** Returns the saved settings as the form shows them. */
export const draftOf = (team: Team): Draft => ({
  brand_name: team.brand.name,
  brand_color: team.brand.primary_color ?? '',
  support_url: team.brand.support_url ?? '',
  privacy_url: team.brand.privacy_url ?? '',
  appearance: team.appearance,
  origins: team.allowed_origins.join('\n'),
  payment_description: team.payment_description,
  payment_amount_max: team.limits.payment_amount_max === null ? '' : String(team.limits.payment_amount_max / 100),
  payments_per_month: team.limits.payments_per_month === null ? '' : String(team.limits.payments_per_month),
  default_source: team.default_source_account ?? '',
  webhook_schedule: team.webhook_schedule,
})

const linesOf = (value: string): string[] => value.split(/[\s,]+/).filter(Boolean)
const normalized = (name: keyof Draft, value: string): string =>
  name === 'origins' ? linesOf(value).join('\n') : value.trim()

/** Returns the settings that differ from the saved ones. */
export function changesIn(team: Team, draft: Draft): SettingChange[] {
  const saved = draftOf(team)
  return (Object.keys(saved) as (keyof Draft)[]).flatMap(name => {
    const [before, after] = [saved[name], normalized(name, draft[name])]
    return before === after ? [] : [{ name, before, after }]
  })
}

/** Returns a number of cents, without the rounding of a product of fractions. */
const centsOf = (dollars: string): number => Math.round(Number(dollars) * 100)

/** How each setting is sent. An empty value becomes null where the API accepts null. */
const fields: { readonly [Name in keyof Draft]: (value: string) => Record<string, unknown> } = {
  brand_name: name => ({ brand: { name } }),
  brand_color: color => ({ brand: { primary_color: color || null } }),
  support_url: url => ({ brand: { support_url: url || null } }),
  privacy_url: url => ({ brand: { privacy_url: url || null } }),
  appearance: appearance => ({ appearance }),
  origins: origins => ({ allowed_origins: linesOf(origins) }),
  payment_description: payment_description => ({ payment_description }),
  payment_amount_max: amount => ({ limits: { payment_amount_max: amount === '' ? null : centsOf(amount) } }),
  payments_per_month: count => ({ limits: { payments_per_month: count === '' ? null : Number(count) } }),
  default_source: id => ({ default_source_account: id || null }),
  webhook_schedule: webhook_schedule => ({ webhook_schedule }),
}

/** Returns the body of `PATCH /team`, with only the changed settings. */
export function toRequest(changes: readonly SettingChange[]): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const { name, after } of changes)
    for (const [key, value] of Object.entries(fields[name](after)))
      body[key] =
        key === 'brand' || key === 'limits' ? { ...(body[key] as object | undefined), ...(value as object) } : value
  return body
}
