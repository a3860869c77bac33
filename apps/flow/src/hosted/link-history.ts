/** The link that opened this page, the data that the service wrote into the page, and the URL to return to. */
import { type HostedPage, LINKING_KEY } from '@causeway/contract/session'

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
  /**
   * Stores the state in the tab, so that the page continues when the tab comes back to it from another site. Returns false
   * if the browser allows no storage.
   */
  goAway(): boolean
  /** True from {@link goAway} until the tab comes back. */
  isAway: boolean
  /** Removes the added entry. Resolves once the page is back at its original entry. */
  release(): Promise<void>
}

/** The state stored in a history entry. */
type Entry = LinkState & { held?: true }

const handleOf = ({ pathname }: Location) => pathname.split('/').at(-1)!

/** Removes and returns the state that {@link LinkHistory.goAway} stored, if it is this link's. */
function takeStored({ sessionStorage, location }: Window): LinkState {
  const text = sessionStorage.getItem(LINKING_KEY)
  sessionStorage.removeItem(LINKING_KEY)
  const { handle, ...link } = JSON.parse(text ?? '{}') as LinkState & { handle?: string }
  return handle === handleOf(location) ? link : {}
}

/** Returns the result, or the other value if the browser allows no storage. */
function tryStorage<T>(work: () => T, otherwise: T): T {
  try {
    return work()
  } catch {
    return otherwise
  }
}

export function createLinkHistory(window: Window): LinkHistory {
  const { history, location } = window
  const stored = tryStorage(() => takeStored(window), {})
  const secret = /^#([0-9A-Za-z]{33})$/.exec(location.hash)?.[1]
  const { held: above, ...before } = (history.state as Entry | null) ?? {}
  let kept: LinkState = secret ? { secret } : { ...stored, ...before }
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
    isAway: false,
    goAway() {
      const state = JSON.stringify({ handle: handleOf(location), ...kept })
      keeper.isAway = tryStorage(() => {
        window.sessionStorage.setItem(LINKING_KEY, state)
        return true
      }, false)
      return keeper.isAway
    },
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
  window.addEventListener('pageshow', () => {
    keeper.isAway = false
    tryStorage(() => window.sessionStorage.removeItem(LINKING_KEY), undefined)
  })
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
