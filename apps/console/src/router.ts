/**
 * Matches URLs to pages, and resolves `/go/{id}` using the same table of routes. The router matches paths itself
 * because some of the browsers that the console supports lack URLPattern.
 */

/** A page that shows one resource. */
export interface ResourcePage {
  /** A pattern such as `/payments/:id`. */
  pattern: string
  /** The id prefixes of the resources that the page shows, used to resolve `/go/{id}`. */
  prefixes?: readonly string[]
}

export interface Route extends ResourcePage {
  /** The name of the element that renders the page. */
  tag: string
  /** The navigation entry to highlight. */
  nav: string
  load: () => Promise<unknown>
}

/** A parsed URL: its route, the ids in its path, and its query. */
export interface Place {
  route: Route | null
  path: string
  params: Record<string, string>
  query: URLSearchParams
}

/** The allowed query parameters. Values are ids, codes, days and cursors, never names, phone numbers or free text. */
const names = new Set(
  'team hide area sort status from to cursor delivery endpoint event actor resource kinds outcome sub_type source type resource_id entity_id kind range person step ended_from ended_to stuck_for unpaid payout_status'.split(
    ' ',
  ),
)
const SAFE_VALUE = /^[\w.,:-]{1,200}$/

/** Returns true if part of a path can be an id. Longer text isn't an id and would make the page too wide. */
const isId = (text: string): boolean => /^\w{1,64}$/.test(text)

/** Returns a page's URL without query parameters that aren't allowed. */
export function address(path: string, query: Record<string, string | null | undefined> = {}): string {
  const kept = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value && names.has(name) && SAFE_VALUE.test(value)) kept.set(name, value)
  const text = kept.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')
  return path + (text && `?${text}`)
}

function paramsOf(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index] as string
    if (!part.startsWith(':')) {
      if (part !== value) return null
    } else if (isId(value)) params[part.slice(1)] = value
    else return null
  }
  return params
}

/** Returns the path of the page for an id, or null if no page shows it. */
export function pathOf(pages: readonly ResourcePage[], id: string): string | null {
  if (!isId(id)) return null
  const fits = (page: ResourcePage) =>
    page.prefixes?.find(prefix => id.startsWith(prefix) && id.length > prefix.length)?.length ?? 0
  const [best] = [...pages].sort((a, b) => fits(b) - fits(a))
  return best && fits(best) > 0 ? best.pattern.replace(/:\w+/, id) : null
}

/** The page that opens first, including when the user signs in with an operator's link. */
const HOME = '/overview'
const homes = new Set(['/', '/sign-in', '/sign-in/oidc'])

export function matchRoute(routes: readonly Route[], address: string): Place {
  const { pathname, searchParams: query } = new URL(address, 'http://console')
  const path = pathname.replace(/(?<=.)\/$/, '')
  const gone = /^\/go\/(\w+)$/.exec(path)?.[1]
  const found = gone ? (pathOf(routes, gone) ?? path) : homes.has(path) ? HOME : path
  for (const route of routes) {
    const params = paramsOf(route.pattern, found)
    if (params) return { route, path: found, params, query }
  }
  return { route: null, path, params: {}, query }
}

/** The parts of a window that the router uses. The play page and tests replace these parts. */
export interface AddressBar {
  read(): string
  /** @param replace true to replace the current history entry */
  write(address: string, replace: boolean): void
  onMove(moved: () => void): void
}

export const windowAddressBar = (window: Window): AddressBar => ({
  read: () => window.location.pathname + window.location.search,
  write: (address, replace) => window.history[replace ? 'replaceState' : 'pushState'](null, '', address),
  onMove: moved => window.addEventListener('popstate', moved),
})

/** Returns the URL of a clicked link that the console handles, or null if the browser should handle it. */
export function followedLink(event: MouseEvent, origin: string): string | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return null
  const link = event.composedPath().find(each => each instanceof HTMLAnchorElement)
  if (!link || link.target || link.hasAttribute('download') || link.origin !== origin) return null
  const url = new URL(link.href)
  return url.hash && url.pathname === location.pathname ? null : url.pathname + url.search
}
