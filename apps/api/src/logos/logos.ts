/**
 * Customers' logos. The frame loads nothing from elsewhere, so that nobody else learns who opens it: a logo is fetched once,
 * when its address is given, and served from here.
 */
import { sha256 } from '../crypto/vault.js'
import type { JobHandler } from '../jobs/jobs.js'
import { OutboundError } from '../outbound/outbound.js'
import type { Deps, Scope } from '../scope.js'
import { typeOf } from './image.js'

/** Largest logo, in bytes. It stands as high as a line of text. */
const LARGEST = 100 * 1024
const TIMEOUT = 5_000
/** How often one is asked for before the frame does without it. */
const TRIES = 4

const idOf = (url: string) => sha256(url).slice(0, 32)

/** Where the frame finds the logo of an address, on its own origin. Until it is fetched nothing is there. */
export const logoPath = (url: string | null): string | null => url && `/logos/${idOf(url)}`

/** Has a logo fetched, after the commit. `anew`: also where there is one already. */
export async function wantLogo(scope: Scope, url: string, { anew = false } = {}): Promise<void> {
  const id = idOf(url)
  if (!anew && (await readLogo(scope.deps, id))) return
  await scope.deps.jobs.enqueue(scope, { kind: 'logo.fetch', payload: { url }, unique: `logo ${id}`, clocked: false })
}

/** @param id the last part of its path */
export const readLogo = ({ store }: Deps, id: string) =>
  store.reader.selectFrom('logos').select(['type', 'body']).where('id', '=', id).executeTakeFirst()

/** Answer for a logo: its bytes, and a policy under which nothing in it runs where somebody opens it by itself. */
export async function serveLogo(deps: Deps, id: string): Promise<Response> {
  const logo = await readLogo(deps, id)
  if (!logo) return new Response('Not found', { status: 404, headers: { 'Cache-Control': 'no-store' } })
  return new Response(new Uint8Array(Buffer.from(logo.body, 'base64')), {
    headers: {
      'Content-Type': logo.type,
      'Cache-Control': 'public, max-age=3600',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

/** The image at an address, or why there is none to show. Throws {@link OutboundError} */
async function fetchImage({ outbound }: Deps, url: string): Promise<{ type: string; body: string } | string> {
  const answer = await outbound.call({
    method: 'GET',
    url,
    headers: { Accept: 'image/*' },
    timeout: TIMEOUT,
    limit: LARGEST + 1,
  })
  if (answer.status !== 200) return `status ${answer.status}`
  if (answer.body.length > LARGEST) return `over ${LARGEST / 1024} KiB`
  const type = typeOf(answer.body)
  return type ? { type, body: answer.body.toString('base64') } : 'not a PNG, JPEG, GIF, WebP or SVG'
}

export const fetchLogo: JobHandler = {
  async run({ deps }, payload, attempt) {
    const url = payload['url'] ?? ''
    const found = await fetchImage(deps, url).catch(error => {
      if (!(error instanceof OutboundError) || (error.fault !== 'refused' && attempt < TRIES)) throw error
      return error.fault
    })
    if (typeof found === 'string') {
      // The address is the customer's, and may hold what is theirs to know: it is in their settings.
      deps.log('warn', 'logo_unusable', { fault: found })
      return async () => undefined
    }
    return async scope => {
      const row = { id: idOf(url), ...found, fetched_at: deps.clock() }
      await scope.db
        .insertInto('logos')
        .values(row)
        .onConflict(conflict => conflict.column('id').doUpdateSet(row))
        .execute()
      return undefined
    }
  },
}
