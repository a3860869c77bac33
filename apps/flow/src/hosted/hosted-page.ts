/**
 * Acts as the host on a hosted page: provides the link's token, notifies a native app, and redirects the person when
 * the flow ends.
 */
import { type ExitReason, readHandle, type ToHost } from '@causeway/contract/frame'
import type { HostedPage } from '@causeway/contract/session'
import type { FlowApp } from '../app.js'
import type { FrameClient } from '../frame-client.js'
import type { Host, HostDeps } from '../host.js'
import { isEnd } from '../machine.js'
import { drawState } from '../states.js'
import { ExpiryWarning } from './expiry-warning.js'
import { type LinkHistory, redirectUrl } from './link-history.js'
import { forwardToApp, type PostToApp } from './native-bridge.js'
import { drawStage, type Stage } from './stages.js'
import { wordsOf } from './words.js'

export interface HostedPageDeps {
  app: FlowApp
  known: HostedPage
  keeper: LinkHistory
  say: PostToApp
  /** The link's handle, from its URL. */
  handle: string
  exchangeId: () => string
  /** Navigates to another URL, replacing this page's history entry. */
  go: (address: string) => void
}

export function createHostedPage(deps: HostedPageDeps): (host: HostDeps) => Host {
  const { app, known, keeper, say, handle, exchangeId, go } = deps
  const brand = known.brand ?? ''
  const own = known.own === true
  return ({ onInit, onMessage }) => {
    let stage: Stage | null = null
    let completed = false
    const show = (next: Stage | null) => {
      stage = next
      app.requestUpdate()
    }
    // Defer the message, because the state machine is still running its commands.
    const answer = (token: string | null) => queueMicrotask(() => onMessage({ type: 'auth.token', token }))
    /** Either token prefix works here, because the service checks only the handle and the secret. */
    const token = () => `pk_elem_${handle}${keeper.link().secret ?? '0'.repeat(33)}`

    function lack(why: Stage): void {
      show(why)
      const error_type = 'INVALID_REQUEST'
      const message = 'The page needs a new token.'
      say('element-error', { error_type, sub_type: 'TOKEN_REQUIRED', message, recoverable: false, request_id: null })
    }

    async function give(): Promise<void> {
      const { secret, exchange, bearer } = keeper.link()
      if (bearer || exchange) return answer(token())
      // Wait for the language to load so that the page never mixes two languages.
      await app.speaking
      if (!secret || !readHandle(token()) || known.link === 'unknown') return lack('part')
      if (known.link !== 'open') return lack('spent')
      show('begin')
      app.ownerDocument.title = own ? wordsOf(app.language).ownTitle(brand) : wordsOf(app.language).title(brand)
    }

    function begin(): void {
      keeper.keep({ ...keeper.link(), exchange: exchangeId() })
      show(null)
      answer(token())
    }

    function leave(asked: ExitReason): void {
      const reason = completed ? 'completed' : stage === 'spent' || stage === 'ended' ? 'expired' : asked
      say('element-exit', { reason })
      const { view } = app.state
      const address = known.redirect ? redirectUrl(known.redirect, reason, view) : null
      onMessage({ type: 'close' })
      left = address
      show('left')
      if (address) void keeper.release().then(() => go(address))
    }
    let left: string | null = null

    /**
     * Goes back one step if possible. Otherwise, closes the flow; if the flow is unfinished, the person must confirm
     * first.
     */
    async function goBack(): Promise<void> {
      const { phase, view, busy } = app.state
      if (stage || phase !== 'flow' || !view || isEnd(view)) return app.exit()
      if (busy) return
      return app.canGoBack ? app.goBack() : app.askToLeave()
    }
    // If the confirmation can't be loaded, the person stays on the page.
    keeper.onBack = () => void goBack().catch(() => undefined)

    new ExpiryWarning(app)
    if (known.brand) app.owner = { name: known.brand, logo: known.logo ?? null }
    app.drawState = (phase, at) =>
      stage
        ? drawStage(at, {
            stage,
            brand,
            own,
            redirect: stage === 'left' ? left : (known.redirect ?? null),
            begin,
            goBack: () => leave('expired'),
          })
        : drawState(phase, at)

    return {
      refused: null,
      origin: null,
      dropped: 0,
      open() {
        say('element-open')
        const { accent = null, appearance = 'system' } = known
        onInit({
          locale: null,
          appearance,
          theme: accent ? { accent } : {},
          display: 'page',
          mode: null,
          hidden: false,
        })
      },
      send(message: ToHost) {
        if (message.type === 'exit.request') leave(message.reason)
        else if (message.type === 'auth.request' && message.reason === 'initial') void give()
        else if (message.type === 'auth.request') {
          answer(null)
          lack(keeper.link().bearer ? 'ended' : 'spent')
        } else {
          if (message.type === 'success') completed = true
          forwardToApp(say, message)
        }
      },
    }
  }
}

/**
 * Wraps the calls so that the link is exchanged only once. After that, the page opens the session with the resulting
 * bearer token.
 */
export const withLinkExchange =
  (keeper: LinkHistory) =>
  (calls: FrameClient): FrameClient => ({
    ...calls,
    async redeem(request) {
      const { exchange, bearer } = keeper.link()
      if (bearer) {
        const seen = await calls.view(bearer)
        if (!seen.ok) return seen
        keeper.hold()
        return { ok: true, value: { bearer, view: seen.value } }
      }
      const outcome = await calls.redeem(exchange ? { ...request, exchange_id: exchange } : request)
      if (!outcome.ok) return outcome
      keeper.keep({ bearer: outcome.value.bearer })
      keeper.hold()
      return outcome
    },
  })
