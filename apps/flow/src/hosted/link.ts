/** The link that opened this page, what the service says of it, and the address where it ends. */
import type { HostedPage } from '@causeway/contract/session'

/**
 * Its secret is taken out of the address before anything else, and stays with the history
 * entry alone: a reload goes on, and neither a server nor the next page ever sees it.
 */
export interface Link {
  /** What the link opens with, once. */
  secret?: string
  /** Names the exchange, so that one whose answer was lost can be asked for again. */
  exchange?: string
  /** What it was exchanged for. */
  bearer?: string
}

export interface Keeper {
  link: () => Link
  keep(link: Link): void
}

export function takeLink(window: Window): Keeper {
  const { history, location } = window
  const secret = /^#([0-9A-Za-z]{33})$/.exec(location.hash)?.[1]
  let kept: Link = secret ? { secret } : ((history.state as Link | null) ?? {})
  const keep = (link: Link) => {
    kept = link
    history.replaceState(link, '', location.pathname)
  }
  keep(kept)
  // The link was opened in this tab once more: that is no navigation, and changes nothing.
  window.addEventListener('hashchange', () => keep(kept))
  return { link: () => kept, keep }
}

/** What the service wrote into the page. */
export function readKnown(document: Document): HostedPage {
  const text = document.querySelector('meta[name="causeway-hosted"]')?.getAttribute('content')
  return text ? (JSON.parse(text) as HostedPage) : { link: 'unknown' }
}

export const statuses = { completed: 'success', user: 'exit', error: 'error', expired: 'expired' } as const

/** Where the person goes in the end: ids and how it ended, nothing personal and no token. */
export function ending(
  redirect: string,
  reason: keyof typeof statuses,
  ids: { session_id: string; entity_id: string } | null,
): string {
  const url = new URL(redirect)
  // What the address said already under our names is not ours.
  for (const name of ['session_id', 'entity_id']) url.searchParams.delete(name)
  url.searchParams.set('status', statuses[reason])
  if (ids) {
    url.searchParams.set('session_id', ids.session_id)
    url.searchParams.set('entity_id', ids.entity_id)
  }
  return url.href
}
