import { ahead } from '../elements/ahead.js'
import { ancestors, embedders } from '../elements/origins.js'
import type { TokenRow } from '../elements/store.js'
import type { Deps } from '../scope.js'
import { findTeam } from '../teams/store.js'
import type { Team } from '../teams/team.js'
import type { Assets } from './assets.js'

const policy = (frameAncestors: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
    `frame-ancestors ${frameAncestors}`,
  ].join('; ')

/** What every page of this listener is sent with. */
export const pageHeaders = (frameAncestors: string) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policy(frameAncestors),
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'X-Content-Type-Options': 'nosniff',
  // A page that isolates itself embeds only what agrees to it.
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'no-store',
})

const sorry = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>This link is no longer good</title><main><h1>This page can’t be opened any more</h1>
<p>It was opened too late or the address is incomplete. Go back to the website that you came from and start again; nothing you did is lost.</p></main></html>`

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
  const token = /^[0-9A-Za-z]{16}$/.test(handle)
    ? await store.reader.selectFrom('tokens').selectAll().where('handle', '=', handle).executeTakeFirst()
    : undefined
  const team = token && (await findTeam(store.reader, token.team_id))
  return token && team ? { token, team } : {}
}

/** The page that an element frames: made for its handle, with nothing personal in it. */
export async function shell(deps: Deps, assets: Assets, handle: string): Promise<Response> {
  const { token, team } = await findByHandle(deps, handle)
  if (!token || !team || token.redirect_url !== null)
    return new Response(sorry, { status: 404, headers: pageHeaders('*') })
  const now = deps.clock() + team.clockOffset
  const allowed = embedders(deps, team, token.origins)
  if (token.revoked_at !== null) return new Response(sorry, { status: 410, headers: pageHeaders(ancestors(allowed)) })
  const list = allowed === 'loopback' ? 'loopback' : allowed.join(' ')
  // A token that came too late still gets the app, which can ask the page for another one; a text could not.
  const late = token.expires_at <= now && !(await isOpen(deps, handle, now))
  const view = late ? null : await ahead(deps, team, token)
  const page = fill(fill(assets.shell, 'origins', list), 'view', view ? JSON.stringify(view) : '')
  return new Response(page, { status: late ? 410 : 200, headers: pageHeaders(ancestors(allowed)) })
}

/** Whether a frame of this handle still has a session: its page may be loaded again. */
async function isOpen(deps: Deps, handle: string, now: number): Promise<boolean> {
  const row = await deps.store.reader
    .selectFrom('bearers')
    .select('hash')
    .where('handle', '=', handle)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
