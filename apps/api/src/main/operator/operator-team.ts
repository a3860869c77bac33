import type { Store } from '../../platform/db/store.js'
import { findTeam, readTeam } from '../../team/teams/store.js'

/** Thrown when a command can't be run. The error's message explains what to do. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

export async function requireTeam(store: Store, id: string) {
  const team = await findTeam(store.reader, id)
  if (!team) throw new OperatorError(`No team has the id ${id}. List the teams with: pnpm admin team list`)
  return team
}

/** Returns the only team of the store, for a command that was run without a team's id. */
export async function requireOnlyTeam(store: Store) {
  const [team, another] = await store.reader.selectFrom('teams').selectAll().orderBy('id').limit(2).execute()
  if (!team) throw new OperatorError('There is no team. Create one with: pnpm admin team create NAME')
  if (another)
    throw new OperatorError(
      'There is more than one team, so add the id of a team to the command. List the teams with: pnpm admin team list',
    )
  return readTeam(team)
}
