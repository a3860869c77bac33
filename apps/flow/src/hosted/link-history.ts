/** The link that opened this page, the data that the service wrote into the page, and the URL to return to. */
import type { HostedPage } from '@causeway/contract/session'

/**
 * The state of the link. The secret is removed from the URL and stored only in the history entry. The person can
 * therefore reload the page, but neither a server nor the next page sees the secret in the URL.
 */
export interface LinkState {
  /** The secret that opens the link. The secret can be used only once. */
  secret?: string
  /** The exchange's id. If the response is lost, the exchange is repeated with the same id. */
  exchange?: string
  /** The bearer token that the exchange returned. */
  bearer?: string
}

export interface LinkHistory {
  link: () => LinkState
  keep(link: LinkState): void
  /** Adds a history entry so that going back calls {@link onBack} instead of leaving the page. */
  hold(): void
  /** Called when the person goes back while the added entry is in place. */
  onBack: () => void
  /** Removes the added entry. Resolves once the page is back at its original entry. */
  release(): Promise<void>
}

/** The state stored in a history entry. */
type Entry = LinkState & { held?: true }

export function createLinkHistory(window: Window): LinkHistory {
  const { history, location } = window
  const secret = /^#([0-9A-Za-z]{33})$/.exec(location.hash)?.[1]
  const { held: above, ...before } = (history.state as Entry | null) ?? {}
  let kept: LinkState = secret ? { secret } : before
  let held = !secret && above === true
  const write = (how: 'replaceState' | 'pushState') =>
    history[how](held ? { ...kept, held } : kept, '', location.pathname)
  const keeper: LinkHistory = {
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
      // Clear this entry, because the person could return to it by going forward.
      history.replaceState(null, '', location.pathname)
      const below = new Promise(resolve => window.addEventListener('popstate', resolve, { once: true }))
      history.back()
      await below
    },
  }
  keeper.keep(kept)
  // Opening the same link again in this tab only changes the hash, so restore the entry when the hash changes.
  window.addEventListener('hashchange', () => keeper.keep(kept))
  window.addEventListener('popstate', ({ state }) => {
    if (!held || location.hash !== '') return
    write((state as Entry | null)?.held ? 'replaceState' : 'pushState')
    keeper.onBack()
  })
  return keeper
}

/** Returns the data that the service wrote into the page. */
export function readHostedPage(document: Document): HostedPage {
  const text = document.querySelector('meta[name="causeway-hosted"]')?.getAttribute('content')
  return text ? (JSON.parse(text) as HostedPage) : { link: 'unknown' }
}

export const exitStatuses = { completed: 'success', user: 'exit', error: 'error', expired: 'expired' } as const

/**
 * Returns the URL to send the person back to, with the outcome and the session's ids added. Adds no personal data and
 * no token.
 */
export function redirectUrl(
  redirect: string,
  reason: keyof typeof exitStatuses,
  ids: { session_id: string; entity_id: string } | null,
): string {
  const url = new URL(redirect)
  // If the customer's URL already has these parameters, remove them, because they do not describe this session.
  for (const name of ['session_id', 'entity_id']) url.searchParams.delete(name)
  url.searchParams.set('status', exitStatuses[reason])
  if (ids) {
    url.searchParams.set('session_id', ids.session_id)
    url.searchParams.set('entity_id', ids.entity_id)
  }
  return url.href
}
