import { HOUR_MS } from '@causeway/contract/time'
import type { Deps } from '../../platform/scope.js'
import type { Team } from '../../platform/team.js'
import { logoUrl } from '../session/brand.js'
import type { TokenRow } from '../session/store.js'

/** The maximum size of a logo, in bytes. */
const MAX_LOGO_BYTES = 100_000
const FETCH_TIMEOUT_MS = 4_000
/** The time after which a cached logo is fetched again. */
const LOGO_LIFETIME_MS = HOUR_MS
/** The time after which a failed fetch is retried. */
const RETRY_DELAY_MS = 60_000
const MAX_LOGOS = 200
const types = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif', 'image/svg+xml'])

interface Image {
  body: Buffer
  type: string
}

interface Known {
  image: Image | null
  until: number
}

/**
 * Fetches and caches customers' and institutions' logos and cards' art, and serves them from the frame's own origin. The frame's pages
 * load nothing from other hosts, so no other host can see who opened them.
 */
export function createLogos({ outbound, clock, ports }: Pick<Deps, 'outbound' | 'clock' | 'ports'>) {
  const logosByUrl = new Map<string, Known>()
  const coming = new Map<string, Promise<Known>>()

  async function fetchLogo(url: string): Promise<Known> {
    const answer = await outbound
      .call({
        method: 'GET',
        url,
        headers: { Accept: [...types].join(', ') },
        timeout: FETCH_TIMEOUT_MS,
        limit: MAX_LOGO_BYTES + 1,
      })
      .catch(() => null)
    const type = /^[^;]*/
      .exec(answer?.header('content-type') ?? '')![0]
      .trim()
      .toLowerCase()
    const good = answer?.status === 200 && types.has(type) && answer.body.length <= MAX_LOGO_BYTES
    const image = good
      ? { image: { body: answer.body, type }, until: clock() + LOGO_LIFETIME_MS }
      : { image: null, until: clock() + RETRY_DELAY_MS }
    if (logosByUrl.size >= MAX_LOGOS) logosByUrl.clear()
    logosByUrl.set(url, image)
    return image
  }

  /** Fetches a logo once for all concurrent requests. */
  function fetchOnce(url: string): Promise<Known> {
    const running = coming.get(url)
    if (running) return running
    const work = fetchLogo(url).finally(() => coming.delete(url))
    coming.set(url, work)
    return work
  }

  async function at(url: string | null): Promise<Response> {
    const logo = url === null ? undefined : logosByUrl.get(url)
    const { image } = logo && logo.until > clock() ? logo : url === null ? { image: null } : await fetchOnce(url)
    return show(image)
  }

  /** Returns the image that the network draws for an id. If it draws none, fetches the image from its URL. */
  async function drawnOr(id: string, findUrl: () => string | undefined): Promise<Response> {
    if (!/^\w{1,64}$/.test(id)) return show(null)
    const drawn = ports.network.drawing?.(id)
    return drawn ? show({ body: Buffer.from(drawn.body), type: drawn.type }) : at(findUrl() || null)
  }

  return {
    customer: (owner: { team: Team; token: TokenRow } | { token?: never }): Promise<Response> =>
      at(owner.token ? logoUrl(owner.team, owner.token) : null),

    institution: (id: string): Promise<Response> => drawnOr(id, () => ports.network.merchants([id])[0]?.logo),

    card: (id: string): Promise<Response> =>
      drawnOr(
        id,
        () =>
          ports.network
            .cardProducts()
            .flatMap(({ brands }) => brands)
            .find(brand => brand.id === id)?.image,
      ),
  }
}

function show(image: Image | null): Response {
  if (!image) return new Response(null, { status: 404, headers: { 'Cache-Control': 'no-store' } })
  return new Response(new Uint8Array(image.body), {
    headers: {
      'Content-Type': image.type,
      'Cache-Control': 'private, max-age=3600',
      // The sandbox policy disables scripts in an SVG that is opened directly.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  })
}
