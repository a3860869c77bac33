/** One flow in a webview: which messages count, where the webview may navigate, and when the page has failed. */
import { openingErrors } from '@causeway/elements/opal-events'
import type { FlowReports, OpalExit } from '@causeway/elements/opal-store'
import { originOf, readMessage, reasonOfRedirect } from './messages.js'

/** A page that has not sent a message within this many milliseconds is reported, even if it is still loading. */
const CONTACT_TIMEOUT_MS = 2_000
/** If a loaded page is the flow, it sends a message at most this many milliseconds later. */
const MESSAGE_TIMEOUT_MS = 1_000

/** The treatment of a navigation: in the webview, in the system's browser, or not at all. */
type Navigation = 'here' | 'outside' | 'nowhere'

export interface AppFlow {
  readonly link: string
  /** Starts to wait for the page's first message. Returns the function that ends the wait. */
  start(): () => void
  /** @param url the URL of the page that sent the text */
  receive(url: string, text: unknown): void
  /** A document has loaded. */
  loaded(): void
  /** The page could not be loaded. */
  failed(): void
  navigate(url: string): Navigation
  close(reason?: OpalExit['reason']): void
  /** Closes the flow without a report. */
  remove(): void
}

/** @param onEnd removes the webview */
export function createAppFlow(link: string, reports: FlowReports, onEnd: () => void): AppFlow {
  const origin = originOf(link)
  let hasContact = false
  let hasEnded = false
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const stop = (): void => {
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
  }
  const wait = (action: () => void, timeout: number): void => {
    if (!hasContact && !hasEnded) timers.add(setTimeout(action, timeout))
  }

  function end(): boolean {
    if (hasEnded) return false
    hasEnded = true
    stop()
    onEnd()
    return true
  }
  function close(reason: OpalExit['reason'] = 'user'): void {
    if (end()) reports.onExit(reason)
  }
  function refuse(): void {
    if (hasContact || hasEnded) return
    reports.onError(openingErrors.PAGE_REFUSED)
    close('error')
  }

  return {
    link,
    start() {
      wait(() => reports.onError(openingErrors.PAGE_SLOW), CONTACT_TIMEOUT_MS)
      return stop
    },
    receive(url, text) {
      // mutant: app-messages-only-of-the-page (false)
      if (hasEnded || originOf(url) !== origin) return
      const message = readMessage(text)
      if (!message) return
      hasContact = true
      stop()
      if (message.type === 'event') reports.onEvent(message.name, message.timestamp, message.data)
      else if (message.type === 'ready') reports.onReady()
      else if (message.type === 'error') reports.onError(message.error)
      else if (message.type === 'exit') close(message.reason)
    },
    loaded: () => wait(refuse, MESSAGE_TIMEOUT_MS),
    failed: refuse,
    navigate(url) {
      if (hasEnded) return 'nowhere'
      if (originOf(url) === origin || url === 'about:blank') return 'here'
      const reason = reasonOfRedirect(url)
      if (reason === undefined) return /^https:/i.test(url) ? 'outside' : 'nowhere'
      // The page's last message normally arrives before its redirect.
      close(reason)
      return 'nowhere'
    },
    close,
    remove: () => void end(),
  }
}
