/** The accounts from which the team can pay, for the settings and the dialogs that choose one. */
import { consoleSources as declared, type SourceView } from '@causeway/contract/endpoints/console-sources'
import { findSourceErrors } from '../money/payments/accounts.js'
import { findHolderNames } from '../people/holders/holder-names.js'
import { findAccount } from '../people/holders/store.js'
import { reading, type Scope } from '../platform/scope.js'
import { type ConsoleRoute, implementForConsole } from './console-endpoints.js'

const MAX_SOURCES = 100

/** Selects the ACH accounts of companies, active ones first, and one more than are listed. */
const listCompanyAccounts = ({ db, team }: Scope) =>
  db
    .selectFrom('entities')
    .innerJoin('accounts', on =>
      on.onRef('accounts.team_id', '=', 'entities.team_id').onRef('accounts.holder_id', '=', 'entities.id'),
    )
    .select(['accounts.id', 'accounts.holder_id', 'accounts.ach_type', 'accounts.mask', 'accounts.verified_at'])
    .where('entities.team_id', '=', team.id)
    // mutant: own-account-pays-no-loan (remove)
    .where('entities.type', '=', 'corporation')
    .where('accounts.type', '=', 'ach')
    .where('accounts.awaits_consent', 'is', null)
    .where('accounts.withdrawn_at', 'is', null)
    .orderBy('accounts.status')
    .orderBy('accounts.id', 'desc')
    .limit(MAX_SOURCES + 1)
    .execute()

/** For all of a team's users. */
export const sourceRoutes: ConsoleRoute[] = [
  implementForConsole(declared.listSources, async ({ deps, user }) => {
    const scope = reading(deps, user.team)
    const { default_source_account: defaultId } = user.team.settings
    const companyAccounts = await listCompanyAccounts(scope)
    const listed = companyAccounts.slice(0, MAX_SOURCES)
    const isListed = listed.some(({ id }) => id === defaultId)
    const other = defaultId === null || isListed ? undefined : await findAccount(scope, defaultId)
    const rows = other ? [other, ...listed] : listed
    const errors = await findSourceErrors(
      scope,
      rows.map(({ id }) => id),
    )
    const names = await findHolderNames(scope, [...new Set(rows.map(row => row.holder_id))])
    return {
      data: rows.map(({ id, holder_id, ach_type, mask, verified_at }) => ({
        ...{ id, mask, name: names.get(holder_id)?.name ?? null, type: ach_type as SourceView['type'] },
        ...{ verified: verified_at !== null, is_default: id === defaultId },
        why_not: (errors.get(id) ?? null) as SourceView['why_not'],
      })),
      more: companyAccounts.length > MAX_SOURCES,
    }
  }),
]
