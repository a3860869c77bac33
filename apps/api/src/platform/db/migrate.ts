import { type Kysely, Migrator, sql } from 'kysely'
import { start } from './migrations/0001-start.js'
import { ages } from './migrations/0002-ages.js'
import { people } from './migrations/0003-people.js'
import { versions } from './migrations/0004-versions.js'
import { continuous } from './migrations/0005-continuous.js'
import { ledger } from './migrations/0006-ledger.js'
import { deliveries } from './migrations/0007-deliveries.js'
import { filters } from './migrations/0008-filters.js'
import { connectors } from './migrations/0009-connectors.js'
import { platform } from './migrations/0010-platform.js'
import { encryption } from './migrations/0011-encryption.js'
import { auditTime } from './migrations/0012-audit-time.js'
import { hosted } from './migrations/0013-hosted.js'
import { futureAccounts } from './migrations/0014-future-accounts.js'
import { typedDetails } from './migrations/0015-typed-details.js'
import { outgoing } from './migrations/0017-outgoing.js'
import { reports } from './migrations/0017-reports.js'
import { counters } from './migrations/0018-counters.js'
import { bearerProofs } from './migrations/0019-bearer-proofs.js'
import { tenancy } from './migrations/0020-tenancy.js'
import { webhookVersions } from './migrations/0021-webhook-versions.js'
import { tokenMakers } from './migrations/0022-token-makers.js'
import { growth } from './migrations/0023-growth.js'
import { requests } from './migrations/0024-requests.js'
import type { Engine } from './store.js'
import type { Tables } from './tables.js'

/** A migration is a list of statements; `id` is the column type of ids, which sort by their bytes on both engines. */
export type Migration = (given: { id: string; engine: Engine }) => string[]

const migrations: Record<string, Migration> = {
  '0001-start': start,
  '0002-ages': ages,
  '0003-people': people,
  '0004-versions': versions,
  '0005-continuous': continuous,
  '0006-ledger': ledger,
  '0007-deliveries': deliveries,
  '0008-filters': filters,
  '0009-connectors': connectors,
  '0010-platform': platform,
  '0011-encryption': encryption,
  '0012-audit-time': auditTime,
  '0013-hosted': hosted,
  '0014-future-accounts': futureAccounts,
  '0015-typed-details': typedDetails,
  '0017-outgoing': outgoing,
  '0017-reports': reports,
  '0018-counters': counters,
  '0019-bearer-proofs': bearerProofs,
  '0020-tenancy': tenancy,
  '0021-webhook-versions': webhookVersions,
  '0022-token-makers': tokenMakers,
  '0023-growth': growth,
  '0024-requests': requests,
}

/** Names of all migrations, as the store remembers those that it had. */
export const migrationNames: readonly string[] = Object.keys(migrations)

/** Brings the tables up to date, one process at a time. */
export async function migrate(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const given = { id: engine === 'postgres' ? 'text collate "C"' : 'text', engine }
  const migrator = new Migrator({
    // A number is given when work begins, and a store can have a later one already when it ends.
    allowUnorderedMigrations: true,
    db: db as unknown as Kysely<unknown>,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(migrations).map(([name, migration]) => [
            name,
            {
              async up(tx: Kysely<unknown>) {
                for (const statement of migration(given)) await sql.raw(statement).execute(tx)
              },
            },
          ]),
        ),
    },
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
