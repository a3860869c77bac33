/** The legal details of a team, which contain personal data and are stored sealed. */
import type { Vault } from '../../platform/crypto/vault.js'
import type { Team } from '../../platform/team.js'

export interface TeamDetails {
  legal_name?: string | null
  ein?: string | null
  contacts?: { name: string; email: string; type: string }[]
  address?: Record<string, string | null | undefined> | null
}

const sealerOf = (vault: Vault, { id, dataKey }: Pick<Team, 'id' | 'dataKey'>) => vault.sealer(id, dataKey)
const detailsField = ({ id }: Pick<Team, 'id'>) => ({ id, field: 'details' })

/** Returns a team's details, or none if none were given. */
export const openDetails = (vault: Vault, team: Pick<Team, 'id' | 'dataKey' | 'details'>): TeamDetails =>
  team.details === null ? {} : (JSON.parse(sealerOf(vault, team).open(detailsField(team), team.details)) as TeamDetails)

/** Returns the sealed details, or null if there are none. */
export const sealDetails = (vault: Vault, team: Pick<Team, 'id' | 'dataKey'>, details: TeamDetails): string | null =>
  Object.values(details).every(value => value === undefined)
    ? null
    : sealerOf(vault, team).seal(detailsField(team), JSON.stringify(details))

/** Selects the details from a request's body. */
export const selectDetails = ({ legal_name, ein, contacts, address }: TeamDetails): TeamDetails => ({
  ...(legal_name !== undefined && { legal_name }),
  ...(ein !== undefined && { ein }),
  ...(contacts !== undefined && { contacts }),
  ...(address !== undefined && { address }),
})
