import type { Deps } from '../../platform/scope.js'
import type { Team } from '../../platform/team.js'
import { findTeam } from '../../team/teams/store.js'
import { ancestors, embedders } from '../sessions/origins.js'
import { silentOrigins } from '../sessions/silent-auth.js'
import { ahead } from '../sessions/steps-ahead.js'
import { type TokenRow, tokenByHandle } from '../sessions/store.js'
import type { Assets } from './assets.js'
import { sorry } from './error-page.js'
import { pageHeaders } from './headers.js'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, sign => entities[sign]!)

/** A template with what one of its meta tags is to say. */
export const fill = (template: string, name: string, content: string) =>
  template.replace(`name="causeway-${name}" content=""`, () => `name="causeway-${name}" content="${escaped(content)}"`)

/** Whose handle it is. */
export async function findByHandle(
  { store }: Deps,
  handle: string,
): Promise<{ token: TokenRow; team: Team } | { token?: never; team?: never }> {
  const token = /^[0-9A-Za-z]{16}$/.test(handle) ? await tokenByHandle(store.reader, handle) : undefined
  const team = token && (await findTeam(store.reader, token.team_id))
  return token && team ? { token, team } : {}
}

/**
 * The places a page of the team's flow may send the handset to: only in a browser that reports its connection. The
 * others do not support the policy that this needs, and an isolated page would not embed them.
 * @param hints `Sec-CH-UA`
 */
export const handsetOf = (deps: Deps, team: Team | undefined, hints: string | undefined): readonly string[] =>
  team && hints?.includes('Chromium') ? silentOrigins(deps, team) : []

/** The page that an element frames: made for its handle, with nothing personal in it. @param accepted `Accept-Language` */
export async function shell(
  deps: Deps,
  assets: Assets,
  handle: string,
  accepted: string | undefined,
  hints?: string,
): Promise<Response> {
  const { token, team } = await findByHandle(deps, handle)
  if (!token || !team || token.redirect_url !== null) return sorry(assets.shell, accepted, 404, '*')
  const now = deps.clock() + team.clockOffset
  const allowed = embedders(deps, team, token.origins)
  if (token.revoked_at !== null) return sorry(assets.shell, accepted, 410, ancestors(allowed))
  const list = allowed === 'loopback' ? 'loopback' : allowed.join(' ')
  // A token that came too late still gets the app, which can ask the page for another one; a text could not.
  const late = token.expires_at <= now && !(await isOpen(deps, team, handle, now))
  const view = late ? null : await ahead(deps, team, token)
  const page = fill(fill(assets.shell, 'origins', list), 'view', view ? JSON.stringify(view) : '')
  const headers = pageHeaders(ancestors(allowed), handsetOf(deps, team, hints))
  return new Response(page, { status: late ? 410 : 200, headers })
}

/** True if a frame of this handle still has a session: its page may be loaded again. */
async function isOpen(deps: Deps, team: Team, handle: string, now: number): Promise<boolean> {
  const row = await deps.store.reader
    .selectFrom('bearers')
    .select('hash')
    .where('team_id', '=', team.id)
    .where('handle', '=', handle)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
