import type { HostedPage } from '@causeway/contract/session'
import type { Deps } from '../../platform/scope.js'
import { logoPath } from '../session/brand.js'
import { tokenJson } from '../session/session.js'
import type { TokenRow } from '../session/store.js'
import { allowedEmbedders, mayEmbed } from '../tokens/origins.js'
import type { Assets } from './assets.js'
import { pageHeaders } from './headers.js'
import { fill, findByHandle, handsetOf } from './shell.js'

type Known = Awaited<ReturnType<typeof findByHandle>>

/**
 * Returns the data that the page contains before its link is redeemed: the brand and the redirect URL. Includes no
 * personal data and no secret.
 */
async function describe(deps: Deps, { token, team }: Known): Promise<HostedPage> {
  if (!token || !team || token.redirect_url === null) return { link: 'unknown' }
  const { brand, appearance } = team.settings
  const display = tokenJson.display.read(token.display)
  const late = token.revoked_at !== null || token.expires_at <= deps.clock() + team.clockOffset
  // Drops the redirect if its origin has since been removed from the list.
  const allowed = mayEmbed(allowedEmbedders(deps, team, token.origins), new URL(token.redirect_url).origin)
  return {
    link: late ? 'late' : token.consumed_at === null ? 'open' : 'used',
    brand: display.name ?? brand.name,
    logo: logoPath(team, token),
    accent: brand.primary_color,
    appearance: (token.appearance ?? appearance) as typeof appearance,
    own: (await modeOf(deps, token)) === 'manage',
    redirect: allowed ? token.redirect_url : null,
  }
}

/** Reads the mode of a token's session. */
async function modeOf({ store }: Deps, { team_id, session_id }: TokenRow): Promise<string | undefined> {
  const query = store.reader.selectFrom('sessions').select('mode')
  const row = await query.where('team_id', '=', team_id).where('id', '=', session_id).executeTakeFirst()
  return row?.mode
}

const statuses = { open: 200, used: 200, late: 410, unknown: 404 }

/**
 * Serves the flow as a standalone page, for a link in an email, a QR code or a webview. The link's secret follows the
 * `#`, so it is not part of this request. For an invalid link, the service returns the same page, which explains the
 * problem in the person's language.
 */
export async function hosted(deps: Deps, assets: Assets, handle: string, hints?: string): Promise<Response> {
  const tokenAndTeam = await findByHandle(deps, handle)
  const description = await describe(deps, tokenAndTeam)
  const page = fill(assets.hosted, 'hosted', JSON.stringify(description))
  return new Response(page, {
    status: statuses[description.link],
    headers: {
      ...pageHeaders("'none'", handsetOf(deps, tokenAndTeam.team, hints)),
      'Cross-Origin-Opener-Policy': 'same-origin',
    },
  })
}
