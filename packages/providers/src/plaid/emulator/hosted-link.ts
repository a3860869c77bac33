/** Hosted Link: its tokens, its sessions, and what a browser sees. */
import { MINUTE_MS, SECOND_MS } from '@causeway/contract/time'
import type * as Plaid from 'plaid'
import type { Plain } from '../types.js'
import { users } from './bank.js'
import { showConsent, showEnded, showInstitutions, showRepair, showSignIn } from './page.js'
import { type Body, type EmulatedItem, inputError, type LinkToken, type Session, type State } from './state.js'

const PUBLIC_TOKEN_LIFETIME_MS = 30 * MINUTE_MS

export function createHostedLink(state: State) {
  const { now, items, links, publicTokens, createId, showTime, ended, notify, notifyItem, plaidError } = state
  const { findItem, institutions, accountsOf } = state

  function createLinkToken(body: Body): Plain<Plaid.LinkTokenCreateResponse> {
    const hosted = (body['hosted_link'] ?? {}) as { completion_redirect_uri?: string; url_lifetime_seconds?: number }
    const { access_token } = body
    const token = createId('link-sandbox-')
    const expiresAt = now() + (hosted.url_lifetime_seconds ?? 1_800) * SECOND_MS
    links.set(token, {
      token,
      expiresAt,
      returnUrl: hosted.completion_redirect_uri ?? '',
      webhook: (body['webhook'] as string | undefined) ?? null,
      products: [
        ...((body['products'] as string[]) ?? []),
        ...((body['required_if_supported_products'] as string[]) ?? []),
      ],
      repairs: access_token === undefined ? null : findItem(body, false),
      signedIn: null,
      sessions: [],
    })
    return {
      link_token: token,
      expiration: showTime(expiresAt),
      hosted_link_url: `${state.origin}/hosted/${token}`,
      ...ended(),
    }
  }

  const showSession = (session: Session): Plain<Plaid.LinkTokenGetSessionsResponse> => ({
    link_session_id: session.id,
    started_at: showTime(session.startedAt),
    finished_at: session.finishedAt === null ? null : showTime(session.finishedAt),
    exit: session.exit && {
      error: session.exit.error ? plaidError(session.exit.error) : null,
      metadata: { link_session_id: session.id, request_id: createId('req') },
    },
    results: {
      item_add_results: session.results.map(({ publicToken, item }) => ({
        public_token: publicToken,
        accounts: item.accounts.map(({ account_id, name, mask, type, subtype }) => ({
          ...{ id: account_id, name, mask, type, subtype: subtype ?? '' },
        })),
        institution: { institution_id: item.institution.id, name: item.institution.name },
      })),
      ...{ cra_item_add_results: [], cra_update_results: [], bank_income_results: [], payroll_income_results: [] },
      document_income_results: null,
    },
  })

  function getLinkToken({ link_token }: Body): Plain<Plaid.LinkTokenGetResponse> {
    const link = links.get(String(link_token))
    if (!link) throw inputError('INVALID_LINK_TOKEN')
    return {
      link_token: link.token,
      created_at: showTime(link.expiresAt - 30 * MINUTE_MS),
      expiration: showTime(link.expiresAt),
      link_sessions: link.sessions.map(showSession),
      metadata: {
        ...{ initial_products: ['liabilities'], webhook: link.webhook, country_codes: ['US'], language: 'en' },
        ...{ redirect_uri: null, client_name: 'Emulator' },
      },
      ...ended(),
    }
  }

  function exchange({ public_token }: Body): Plain<Plaid.ItemPublicTokenExchangeResponse> {
    const found = publicTokens.get(String(public_token))
    if (!found || found.expiresAt < now()) throw inputError('INVALID_PUBLIC_TOKEN')
    publicTokens.delete(String(public_token))
    items.set(found.item.id, found.item)
    return { access_token: found.item.token, item_id: found.item.id, ...ended() }
  }

  const openSession = (link: LinkToken): Session => {
    const last = link.sessions.at(-1)
    if (last && last.finishedAt === null) return last
    const session = { id: createId('session'), startedAt: now(), finishedAt: null, results: [], exit: null }
    link.sessions.push(session)
    return session
  }

  function finishSession(link: LinkToken, end: Pick<Session, 'results' | 'exit'>): void {
    Object.assign(openSession(link), end, { finishedAt: now() })
    link.signedIn = null
    notify(link.webhook, {
      ...{ webhook_type: 'LINK', webhook_code: 'SESSION_FINISHED' },
      status: end.exit ? 'EXITED' : 'SUCCESS',
      link_session_id: openedId(link),
      link_token: link.token,
      public_tokens: end.results.map(({ publicToken }) => publicToken),
    })
  }
  const openedId = ({ sessions }: LinkToken) => sessions.at(-1)!.id

  /** Creates the item that the person agreed to, which an exchange then makes usable. */
  function addItem(link: LinkToken, chosen: readonly string[]): void {
    const { institution, user, accounts, key } = link.signedIn!
    const item: EmulatedItem = {
      ...accounts,
      accounts: accounts.accounts.filter(({ account_id }) => chosen.includes(account_id)),
      id: `item${key}`,
      token: `access-sandbox-${key}`,
      institution,
      webhook: link.webhook,
      score: users[user]!.score,
      error: users[user]!.breaks ? 'ITEM_LOGIN_REQUIRED' : null,
      products: link.products.filter(product => institution.products.some(each => each === product)),
      log: [],
    }
    const publicToken = createId('public-sandbox-')
    publicTokens.set(publicToken, { item, expiresAt: now() + PUBLIC_TOKEN_LIFETIME_MS })
    finishSession(link, { results: [{ publicToken, item }], exit: null })
  }

  function repair(link: LinkToken): void {
    link.repairs!.error = null
    notifyItem(link.repairs!, 'ITEM', 'LOGIN_REPAIRED')
    finishSession(link, { results: [], exit: null })
  }

  /** Answers the browser of a person. */
  async function answerPage(request: Request, { pathname, searchParams }: URL): Promise<Response> {
    const [, , token = '', action = ''] = pathname.split('/')
    const link = links.get(token)
    if (!link || link.expiresAt < now()) return showEnded()
    const path = `/hosted/${token}`
    const back = () => new Response(null, { status: 303, headers: { location: link.returnUrl } })
    const form = request.method === 'POST' ? new URLSearchParams(await request.text()) : searchParams
    const institution = institutions.find(({ id }) => id === form.get('institution'))
    if (request.method === 'GET') {
      openSession(link)
      if (link.repairs) return showRepair(path, link.repairs.institution)
      return institution ? showSignIn(path, institution) : showInstitutions(path, institutions)
    }
    if (action === 'close') {
      finishSession(link, { results: [], exit: { error: null } })
      return back()
    }
    if (action === 'sign-in' && institution) {
      const user = form.get('username') ?? ''
      if (!users[user]) return showSignIn(path, institution, 'This username is not known here.')
      const key = createId('')
      link.signedIn = { institution, user, key, accounts: accountsOf(institution.id, key) }
      return showConsent(path, institution, link.signedIn.accounts)
    }
    if (action === 'finish' && link.repairs) repair(link)
    else if (action === 'finish' && link.signedIn) addItem(link, form.getAll('account'))
    else return showInstitutions(path, institutions)
    return back()
  }

  return { createLinkToken, getLinkToken, exchange, answerPage }
}
