/** The link that opened this page, what the service says of it, and the address where it ends. */
import type { HostedPage } from '@causeway/contract/session'

/**
 * Its secret is taken out of the address before anything else, and stays only with the history entry: a reload
 * continues, and neither a server nor the next page ever sees it.
 */
export interface Link {
  /** The input that opens the link, once. */
  secret?: string
  /** Names the exchange, so that one whose answer was lost can be asked for again. */
  exchange?: string
  /** The result of the exchange. */
  bearer?: string
}

export interface Keeper {
  link: () => Link
  keep(link: Link): void
  /** Puts an entry of the history over the page's own, so that the way back leads to {@link onBack} and not away. */
  hold(): void
  /** The effect of going back while it is held. */
  onBack: () => void
  /** Takes that entry away again. Settles once the page stands where it was opened. */
  release(): Promise<void>
}

/** The state of a history entry. */
type Entry = Link & { held?: true }

export function takeLink(window: Window): Keeper {
  const { history, location } = window
  const secret = /^#([0-9A-Za-z]{33})$/.exec(location.hash)?.[1]
  const { held: above, ...before } = (history.state as Entry | null) ?? {}
  let kept: Link = secret ? { secret } : before
  let held = !secret && above === true
  const write = (how: 'replaceState' | 'pushState') =>
    history[how](held ? { ...kept, held } : kept, '', location.pathname)
  const keeper: Keeper = {
    link: () => kept,
    keep(link) {
      kept = link
      write('replaceState')
    },
    hold() {
      if (held) return
      held = true
      write('pushState')
    },
    onBack: () => undefined,
    async release() {
      if (!held) return
      held = false
      // Going forward again leads to nothing.
      history.replaceState(null, '', location.pathname)
      const below = new Promise(resolve => window.addEventListener('popstate', resolve, { once: true }))
      history.back()
      await below
    },
  }
  keeper.keep(kept)
  // The link was opened in this tab once more: that is no navigation, and changes nothing.
  window.addEventListener('hashchange', () => keeper.keep(kept))
  window.addEventListener('popstate', ({ state }) => {
    if (!held || location.hash !== '') return
    write((state as Entry | null)?.held ? 'replaceState' : 'pushState')
    keeper.onBack()
  })
  return keeper
}

/** The data that the service wrote into the page. */
export function readKnown(document: Document): HostedPage {
  const text = document.querySelector('meta[name="causeway-hosted"]')?.getAttribute('content')
  return text ? (JSON.parse(text) as HostedPage) : { link: 'unknown' }
}

export const statuses = { completed: 'success', user: 'exit', error: 'error', expired: 'expired' } as const

/** The final address for the person: ids and the outcome, nothing personal and no token. */
export function ending(
  redirect: string,
  reason: keyof typeof statuses,
  ids: { session_id: string; entity_id: string } | null,
): string {
  const url = new URL(redirect)
  // Parameters that the address had already under our names are not ours.
  for (const name of ['session_id', 'entity_id']) url.searchParams.delete(name)
  url.searchParams.set('status', statuses[reason])
  if (ids) {
    url.searchParams.set('session_id', ids.session_id)
    url.searchParams.set('entity_id', ids.entity_id)
  }
  return url.href
}
