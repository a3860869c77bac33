import type { Deps } from '../../platform/scope.js'
import type { Team } from '../../platform/team.js'
import { findTeam } from '../../team/teams/store.js'
import { predictFirstView } from '../engine/first-view.js'
import { findTokenByHandle, type TokenRow } from '../session/store.js'
import { silentOrigins } from '../steps/phone/silent-origins.js'
import { allowedEmbedders, frameAncestors } from '../tokens/origins.js'
import type { Assets } from './assets.js'
import { languagesOf, sorry } from './error-page.js'
import { escaped } from './escaped.js'
import type { AddFirstScreen } from './first-screen.js'
import { pageHeaders } from './headers.js'

/** Fills in one of a template's meta tags. */
export const fill = (template: string, name: string, content: string) =>
  template.replace(
    `name="causeway-${name}" content=""`,
    () => `name="causeway-${name}" content="${/* mutant: hosted-page-escapes-names (argument 1) */ escaped(content)}"`,
  )

/** Finds a token by its handle, with its team. */
export async function findByHandle(
  { store }: Deps,
  handle: string,
): Promise<{ token: TokenRow; team: Team } | { token?: never; team?: never }> {
  const token = /^[0-9A-Za-z]{16}$/.test(handle) ? await findTokenByHandle(store.reader, handle) : undefined
  const team = token && (await findTeam(store.reader, token.team_id))
  return token && team ? { token, team } : {}
}

/**
 * Returns the carrier origins that a page of the team's flow may call from the handset. The list is empty for browsers
 * other than Chromium: they don't support the policy that lets an isolated page call these origins.
 * @param hints the `Sec-CH-UA` header
 */
export const handsetOf = (deps: Deps, team: Team | undefined, hints: string | undefined): readonly string[] =>
  team && hints?.includes('Chromium') ? silentOrigins(deps, team) : []

/** The parts of a request for a frame's page that describe the person's browser and the embedding element. */
interface Asked {
  /** The `Accept-Language` header. */
  accepted: string | undefined
  /** The `Sec-CH-UA` header. */
  hints?: string | undefined
  /** The element's settings, as JSON. */
  settings?: string | undefined
}

/**
 * Serves the page that an element embeds in a frame. The page is specific to its handle and contains no personal data.
 */
export async function shell(
  deps: Deps,
  assets: Assets,
  addFirstScreen: AddFirstScreen,
  handle: string,
  { accepted, hints, settings }: Asked,
): Promise<Response> {
  const { token, team } = await findByHandle(deps, handle)
  if (!token || !team || token.redirect_url !== null) return sorry(assets.shell, accepted, 404, '*')
  const now = deps.clock() + team.clockOffset
  const allowed = allowedEmbedders(deps, team, token.origins)
  if (token.revoked_at !== null) return sorry(assets.shell, accepted, 410, frameAncestors(allowed))
  const list = allowed === 'loopback' ? 'loopback' : allowed.join(' ')
  // The service still returns the app for an expired token, because the app can ask the host page for a new token. A
  // plain-text page could not do that.
  const late = token.expires_at <= now && !(await isOpen(deps, team, handle, now))
  const view = late ? null : await predictFirstView(deps, team, token)
  const page = fill(fill(assets.shell, 'origins', list), 'view', view ? JSON.stringify(view) : '')
  const { html, inline } = await addFirstScreen(page, view, settings, languagesOf(accepted))
  const headers = pageHeaders(frameAncestors(allowed), handsetOf(deps, team, hints), inline)
  return new Response(html, { status: late ? 410 : 200, headers })
}

/**
 * Serves the page that preloads the flow's files. Any page may embed it, because it never shows the flow and is the
 * same for every host page and person.
 */
export function preloadPage(assets: Assets): Response {
  const page = assets.shell.replace('<causeway-flow></causeway-flow>', '')
  return new Response(page, { headers: { ...pageHeaders('*'), 'Cache-Control': 'public, max-age=300' } })
}

/** Returns true if this handle's frame still has an open session. If so, the frame's page can be reloaded. */
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
