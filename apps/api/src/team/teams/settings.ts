import type { endpoints } from '@causeway/contract/endpoints/team'
import { ServiceError } from '@causeway/contract/errors'
import { type Version, versions } from '@causeway/contract/versions'
import type { z } from 'zod'
import type { Team, TeamSettings } from '../../platform/team.js'
import { readOrigin, readUrl } from './origin.js'
import { expandProductNames } from './team.js'

/**
 * Reads the changes from a PATCH request for a team. Omitted fields stay unchanged, including those inside `brand` and
 * `limits`. The caller checks that the default source account exists. Throws INVALID_REQUEST or INVALID_VERSION.
 */
export function readSettings(
  team: Team,
  body: z.output<typeof endpoints.updateTeam.body>,
  isSandbox: boolean,
): { settings: TeamSettings; version?: Version } {
  const { version, brand, limits, legal_name: _, ein: _ein, contacts: _contacts, address: _address, ...rest } = body
  for (const field of ['logo', 'support_url', 'privacy_url'] as const)
    if (brand?.[field]) readUrl(brand[field], `brand.${field}`, isSandbox)
  if (rest.allowed_origins)
    rest.allowed_origins = [
      ...new Set(rest.allowed_origins.map((text, index) => readOrigin(text, `allowed_origins[${index}]`, isSandbox))),
    ]
  for (const [index, text] of (rest.forwarding_allow_list ?? []).entries())
    readUrl(text, `forwarding_allow_list[${index}]`, isSandbox)
  const settings = {
    ...team.settings,
    ...rest,
    ...(rest.products && { products: expandProductNames(rest.products) }),
    brand: { ...team.settings.brand, ...brand },
    limits: { ...team.settings.limits, ...limits },
  } as TeamSettings
  return version === undefined ? { settings } : { settings, version: readVersion(team, version) }
}

/** Reads a team's new version. Throws INVALID_REQUEST if the version is earlier than the current one. */
function readVersion(team: Team, text: Version): Version {
  if (versions.indexOf(text) < versions.indexOf(team.version))
    throw new ServiceError(
      'INVALID_REQUEST',
      `version must be ${team.version} or later. Only the operator can set an earlier version.`,
    )
  return text
}
