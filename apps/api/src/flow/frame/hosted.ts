import type { HostedPage } from '@causeway/contract/session'
import type { Deps } from '../../platform/scope.js'
import { logoPath } from '../sessions/logo.js'
import { embedders, mayEmbed } from '../sessions/origins.js'
import type { Assets } from './assets.js'
import { pageHeaders } from './headers.js'
import { fill, findByHandle, handsetOf } from './shell.js'

type Known = Awaited<ReturnType<typeof findByHandle>>

/** The page's facts before its link is opened: its owner and where it ends. Nothing personal, and no secret. */
async function describe(deps: Deps, { token, team }: Known): Promise<HostedPage> {
  if (!token || !team || token.redirect_url === null) return { link: 'unknown' }
  const { brand, appearance } = team.settings
  const display = JSON.parse(token.display) as { name: string | null }
  const late = token.revoked_at !== null || token.expires_at <= deps.clock() + team.clockOffset
  // An origin that was taken off the list since is no way back any more.
  const allowed = mayEmbed(embedders(deps, team, token.origins), new URL(token.redirect_url).origin)
  return {
    link: late ? 'late' : token.consumed_at === null ? 'open' : 'used',
    brand: display.name ?? brand.name,
    logo: logoPath(team, token),
    accent: brand.primary_color,
    appearance: (token.appearance ?? appearance) as typeof appearance,
    redirect: allowed ? token.redirect_url : null,
  }
}

const statuses = { open: 200, used: 200, late: 410, unknown: 404 }

/**
 * The flow as a page of its own, for a mail, a QR code or a webview. The secret of the link is behind the `#` and never
 * comes here. A link that is no good gets the page too: it says so in the person's language.
 */
export async function hosted(deps: Deps, assets: Assets, handle: string, hints?: string): Promise<Response> {
  const found = await findByHandle(deps, handle)
  const known = await describe(deps, found)
  const page = fill(assets.hosted, 'hosted', JSON.stringify(known))
  return new Response(page, {
    status: statuses[known.link],
    headers: {
      ...pageHeaders("'none'", handsetOf(deps, found.team, hints)),
      'Cross-Origin-Opener-Policy': 'same-origin',
    },
  })
}
