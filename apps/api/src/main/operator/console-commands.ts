/** The operator commands for console links and sessions. */
import { MAX_NAME_LENGTH, nameFaultOf } from '@causeway/contract/values/name'
import { listAllLinks, listAllSessions } from '../../console/operator-store.js'
import { type Role, roles } from '../../console/roles.js'
import { createLink, deleteLinks, type LinkUser, lastUsedAt } from '../../console/store.js'
import { deleteInvitations } from '../../console/users/store.js'
import { changesBetween } from '../../platform/audit/changes.js'
import { recordOperatorAction } from '../../platform/audit/store.js'
import type { Db, Store } from '../../platform/db/store.js'
import { showTime } from '../../platform/show.js'
import { endConsoleSessions } from '../../team/teams/console-sessions.js'
import { listTreeIds } from '../../team/teams/store.js'
import type { Config } from '../config.js'
import { OperatorError, requireOnlyTeam, requireTeam } from './operator-team.js'

/**
 * Separates `--role ROLE` and `--name NAME` from the other arguments. Throws OperatorError.
 * @returns the user whose role and name the link has; undefined for an operator's link
 */
export function readLinkUser(args: readonly string[]): { rest: string[]; user: LinkUser | undefined } {
  const rest: string[] = []
  const options: Record<string, string> = {}
  for (let at = 0; at < args.length; at++) {
    const option = /^--(role|name)$/.exec(args[at]!)?.[1]
    if (option === undefined) rest.push(args[at]!)
    else if (option in options) throw new OperatorError(`--${option} can be set only once.`)
    else options[option] = args[++at] ?? ''
  }
  const { role, name } = options
  if (role === undefined && name === undefined) return { rest, user: undefined }
  if (!isRole(role)) throw new OperatorError(`--role must be one of: ${roles.join(', ')}.`)
  const trimmed = name?.trim() ?? ''
  if (nameFaultOf(trimmed) !== undefined)
    throw new OperatorError(
      `--name must be the name of the person who will use the link, with at most ${MAX_NAME_LENGTH} characters.`,
    )
  return { rest, user: { role, name: trimmed } }
}

const isRole = (text: string | undefined): text is Role => roles.some(role => role === text)

/** Returns the origin with which the console's links start. Throws OperatorError if it is unknown. */
export function requireConsoleOrigin({ consoleOrigin, consolePort }: Config): string {
  if (consoleOrigin !== null) return consoleOrigin
  if (consolePort) return `http://localhost:${consolePort}`
  throw new OperatorError(
    'Set CONSOLE_PORT to the value that the service uses, or set CONSOLE_ORIGIN. The link starts with this origin.',
  )
}

/** Creates a link that signs in to the console once. The audit entry names the session that the link will start. */
export async function createConsoleLink(store: Store, config: Config, now: number, args: readonly string[]) {
  if (!config.consoleKeySignIn)
    throw new OperatorError(
      "One-time links can't sign in to the console, because CONSOLE_KEY_SIGN_IN is refuse. Invite a user instead: pnpm admin console invite EMAIL --role ROLE",
    )
  const { rest, user } = readLinkUser(args)
  const team = await (rest[0] === undefined ? requireOnlyTeam(store) : requireTeam(store, rest[0]))
  const origin = requireConsoleOrigin(config)
  return store.write(async tx => {
    const { secret, sessionId, expiresAt } = await createLink(tx, team.id, now, user)
    await recordOperatorAction(tx, now, 'console.link', team.id, sessionId, null, {
      consoleUser: { session: sessionId, name: null },
      changes: changesBetween({}, { role: user?.role ?? 'operator', name: user?.name }),
    })
    // The secret follows `#`, so that it is never sent to a server or logged.
    return {
      team_id: team.id,
      session_id: sessionId,
      ...user,
      link: `${origin}/sign-in#link=${secret}`,
      expires_at: showTime(expiresAt),
    }
  })
}

/** Lists the active sessions and the unused links of all teams. */
export async function listConsoleSessions(store: Store, now: number) {
  const showUser = (row: { role: string | null; name: string | null }) => ({ role: row.role, name: row.name })
  const sessions = (await listAllSessions(store.reader, now)).map(row => ({
    id: row.id,
    team_id: row.team_id,
    key_id: row.key_id,
    user_id: row.user_id,
    ...showUser(row),
    operator: row.key_id === null && row.user_id === null && row.role === null,
    created_at: showTime(row.created_at),
    last_used_at: showTime(lastUsedAt(row)),
    expires_at: showTime(row.expires_at),
  }))
  const unusedLinks = (await listAllLinks(store.reader, now)).map(row => ({
    id: row.session_id,
    team_id: row.team_id,
    ...showUser(row),
    operator: row.role === null,
    expires_at: showTime(row.expires_at),
  }))
  return { sessions, unused_links: unusedLinks }
}

/**
 * Ends console sessions, and deletes unused links and, for whole teams, unused invitations.
 * @param selector the id of a session or of the session that a link would start, the id of a team, or `all`
 */
export async function endSessions(store: Store, now: number, selector: string) {
  if (/^csess_/.test(selector)) {
    const all = [...(await listAllSessions(store.reader, now)), ...(await listAllLinks(store.reader, now))]
    const row = all.find(each => ('id' in each ? each.id : each.session_id) === selector)
    if (!row)
      throw new OperatorError(
        `No active console session or unused link has the id ${selector}. List them with: pnpm admin console sessions`,
      )
    return { ended: await store.write(tx => endTeamSessions(tx, row.team_id, now, selector)) }
  }
  const team = selector === 'all' ? null : await requireTeam(store, selector)
  return {
    ended: await store.write(async tx => {
      const teams = team
        ? await listTreeIds(tx, team)
        : (await tx.selectFrom('teams').select('id').orderBy('id').execute()).map(({ id }) => id)
      const ended: string[] = []
      for (const id of teams) ended.push(...(await endTeamSessions(tx, id, now)))
      return ended
    }),
  }
}

async function endTeamSessions(tx: Db, team: string, now: number, id?: string): Promise<string[]> {
  const only = id === undefined ? {} : { id }
  const ended = [...(await endConsoleSessions(tx, team, only)), ...(await deleteLinks(tx, team, id))]
  if (id === undefined) ended.push(...(await deleteInvitations(tx, team)))
  for (const session of ended) await recordOperatorAction(tx, now, 'console.end', team, session)
  return ended
}
