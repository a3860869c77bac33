/** The views of lists that console users save. Each user has their own. */
import { consoleViews as declared } from '@causeway/contract/endpoints/console-views'
import { ServiceError } from '@causeway/contract/errors'
import { randomText } from '../platform/crypto/random.js'
import type { Tables } from '../platform/db/tables.js'
import { transact } from '../platform/scope.js'
import { showTime } from '../platform/show.js'
import { type ConsoleRoute, implementForConsole } from './console-endpoints.js'
import { limitSubject } from './user.js'

const MAX_VIEWS_PER_USER = 100

const show = ({ id, list, name, query, created_at }: Tables['console_views']) => ({
  ...{ id, list, name, query },
  created_at: showTime(created_at),
})

export const viewRoutes: ConsoleRoute[] = [
  implementForConsole(declared.listConsoleViews, async ({ deps, user }) => {
    const rows = await deps.store.reader
      .selectFrom('console_views')
      .selectAll()
      .where('team_id', '=', user.team.id)
      .where('owner', '=', limitSubject(user))
      .orderBy('created_at')
      .orderBy('id')
      .limit(MAX_VIEWS_PER_USER)
      .execute()
    return { data: rows.map(show) }
  }),
  implementForConsole(declared.saveConsoleView, ({ deps, user }, { list, name, query }) =>
    transact(deps, user.team, async ({ db, team }) => {
      const owner = limitSubject(user)
      const row = { id: `cview_${randomText(13)}`, owner, list, name, query, created_at: deps.clock() }
      const saved = await db
        .insertInto('console_views')
        .values({ team_id: team.id, ...row })
        .onConflict(conflict => conflict.columns(['team_id', 'owner', 'list', 'name']).doUpdateSet({ query }))
        .returningAll()
        .executeTakeFirstOrThrow()
      const views = await db
        .selectFrom('console_views')
        .select('id')
        .where('team_id', '=', team.id)
        .where('owner', '=', owner)
        .limit(MAX_VIEWS_PER_USER + 1)
        .execute()
      if (views.length > MAX_VIEWS_PER_USER)
        throw new ServiceError(
          'INVALID_REQUEST',
          `You have ${MAX_VIEWS_PER_USER} saved views, the most that a user can have. Delete one before you save another.`,
        )
      return show(saved)
    }),
  ),
  implementForConsole(declared.deleteConsoleView, ({ deps, user, params }) =>
    transact(deps, user.team, async ({ db, team }) => {
      const deleted = await db
        .deleteFrom('console_views')
        .where('team_id', '=', team.id)
        // mutant: views-belong-to-their-user (remove)
        .where('owner', '=', limitSubject(user))
        .where('id', '=', params.cview_id)
        .returning('id')
        .executeTakeFirst()
      if (!deleted) throw new ServiceError('NOT_FOUND', 'You have no saved view with this id.')
      return { id: deleted.id, deleted: true as const }
    }),
  ),
]
