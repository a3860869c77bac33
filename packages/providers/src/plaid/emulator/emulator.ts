import {
  type EmulatedAccounts,
  type EmulatedInstitution,
  openAccounts,
  institutions as preset,
  transaction,
} from './bank.js'
import { createHookSigner, type Delivery } from './hooks.js'
import { createHostedLink } from './hosted-link.js'
import { createProducts } from './products.js'
import { ApiError, type Body, createState, type EmulatedItem, inputError } from './state.js'

export interface PlaidEmulatorOptions {
  now?: () => number
  clientId?: string
  secret?: string
  /** The address at which the emulator's pages are, which a browser opens. */
  origin?: string
  institutions?: readonly EmulatedInstitution[]
  /** Returns the accounts of a new item. */
  accountsOf?: (institution: string, key: string) => EmulatedAccounts
}

export const emulatorKeys = { clientId: 'emulator_client_id', secret: 'emulator_plaid_secret' } as const

/**
 * Emulates Plaid in memory: its API, the pages of Hosted Link, and signed webhooks. It is deterministic, and its clock can be
 * set.
 */
export function createPlaidEmulator({
  now = Date.now,
  clientId = emulatorKeys.clientId,
  secret = emulatorKeys.secret,
  origin = 'http://127.0.0.1:4730',
  institutions = preset,
  accountsOf = openAccounts,
}: PlaidEmulatorOptions = {}) {
  const state = createState({ now, origin, institutions, accountsOf })
  const { items, pending, createId, ended, notifyItem, plaidError, findItem, showItem } = state
  const { createLinkToken, getLinkToken, exchange, answerPage } = createHostedLink(state)
  const { getAccounts, getLiabilities, matchIdentity, getAuth, syncTransactions, getInstitutions } =
    createProducts(state)
  const signer = createHookSigner(now)
  let limited = 0

  function removeItem(body: Body) {
    items.delete(findItem(body, false).id)
    return ended()
  }

  const resetLogin = (item: EmulatedItem) => {
    item.error = 'ITEM_LOGIN_REQUIRED'
    notifyItem(item, 'ITEM', 'ERROR', { error: plaidError('ITEM_LOGIN_REQUIRED') })
  }

  const routes: Record<string, (body: Body) => object> = {
    '/link/token/create': createLinkToken,
    '/link/token/get': getLinkToken,
    '/item/public_token/exchange': exchange,
    '/item/get': body => ({ item: showItem(findItem(body, false)), status: null, ...ended() }),
    '/item/remove': removeItem,
    '/accounts/get': getAccounts,
    '/accounts/balance/get': getAccounts,
    '/liabilities/get': getLiabilities,
    '/identity/match': matchIdentity,
    '/auth/get': getAuth,
    '/transactions/sync': syncTransactions,
    '/institutions/get': getInstitutions,
    '/webhook_verification_key/get'({ key_id }) {
      if (key_id !== signer.key.kid) throw inputError('INVALID_WEBHOOK_VERIFICATION_KEY_ID')
      return { key: signer.key, ...ended() }
    },
    '/sandbox/item/reset_login'(body) {
      resetLogin(findItem(body, false))
      return { reset_login: true, ...ended() }
    },
  }

  async function answerApi(request: Request, path: string): Promise<Response> {
    const fail = (status: number, { type, code }: ApiError) =>
      Response.json({ ...plaidError(code, type), request_id: createId('req') }, { status })
    if (limited > 0) {
      limited--
      return fail(429, new ApiError('RATE_LIMIT_EXCEEDED', 'RATE_LIMIT'))
    }
    const { headers } = request
    if (headers.get('plaid-client-id') !== clientId || headers.get('plaid-secret') !== secret)
      return fail(400, inputError('INVALID_API_KEYS'))
    const route = request.method === 'POST' ? routes[path] : undefined
    if (!route) return fail(404, new ApiError('INVALID_REQUEST', 'NOT_FOUND'))
    try {
      return Response.json(route((await request.json()) as Body))
    } catch (error) {
      if (error instanceof ApiError) return fail(400, error)
      throw error
    }
  }

  return {
    items,
    /** Sets the address at which the pages are, which is known once a server listens. */
    setOrigin(url: string) {
      state.origin = url
    },
    async answer(request: Request): Promise<Response> {
      const url = new URL(request.url)
      return url.pathname.startsWith('/hosted/') ? answerPage(request, url) : answerApi(request, url.pathname)
    },
    /** Returns the signed webhooks that were not sent yet. */
    async takeWebhooks(): Promise<Delivery[]> {
      return Promise.all(pending.splice(0).map(({ url, body }) => signer.sign(url, body)))
    },
    /** Answers the next requests with 429. */
    limitNext(requests: number) {
      limited = requests
    },
    /** Makes an item need another sign-in. */
    breakItem: (id: string) => resetLogin(items.get(id)!),
    /** Ends the access as the person can at Plaid's own site. */
    revoke(id: string) {
      const item = items.get(id)!
      items.delete(id)
      notifyItem(item, 'ITEM', 'USER_PERMISSION_REVOKED', { error: null })
    },
    /** Records a purchase, its change or its removal. */
    recordTransaction(
      id: string,
      change:
        | { added: Parameters<typeof transaction>[0] }
        | { modified: Parameters<typeof transaction>[0] }
        | { removed: string; account: string },
    ) {
      const item = items.get(id)!
      if ('added' in change) item.log.push({ added: transaction(change.added) })
      else if ('modified' in change) item.log.push({ modified: transaction(change.modified) })
      else item.log.push(change)
      notifyItem(item, 'TRANSACTIONS', 'SYNC_UPDATES_AVAILABLE', {
        initial_update_complete: true,
        historical_update_complete: true,
      })
    },
  }
}
