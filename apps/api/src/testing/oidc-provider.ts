/** Test helper that runs a real OpenID provider in this process, whose users sign in without a page. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'
import { stopAtEnd } from './cleanup.js'
import { origin } from './console.js'

export const clientSecret = 'console-client-secret-of-the-tests'

export interface ProviderAccount {
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
}

interface ProviderOptions {
  /** True if the provider issues refresh tokens. */
  refreshes?: boolean
  port?: number
  /** The URL that the provider calls when it signs out a user. */
  logoutUri?: string
}

/** Starts a provider. `accounts` can be changed while it runs. */
export async function startProvider(
  accounts: Map<string, ProviderAccount>,
  { refreshes = false, port = 0, logoutUri }: ProviderOptions = {},
) {
  /** The next user who signs in, and how. */
  const login = { accountId: '', amr: ['pwd'] }
  const state = { status: 0 }
  const handlers: { serve?: (request: IncomingMessage, response: ServerResponse) => void } = {}
  const server = createServer((request, response) => {
    if (state.status > 0) response.writeHead(state.status).end()
    else handlers.serve!(request, response)
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'signing', alg: 'RS256', use: 'sig' } as never] },
    clients: [
      {
        client_id: 'console',
        client_secret: clientSecret,
        redirect_uris: [`${origin}/sign-in/oidc`],
        post_logout_redirect_uris: [`${origin}/`],
        ...(logoutUri && { backchannel_logout_uri: logoutUri, backchannel_logout_session_required: true }),
        grant_types: ['authorization_code', ...(refreshes ? ['refresh_token'] : [])],
      },
    ],
    claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    ttl: { AccessToken: 3_600, Grant: 3_600, IdToken: 600, Interaction: 600, RefreshToken: 3_600, Session: 3_600 },
    cookies: { keys: ['cookie-key-of-the-tests'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: logoutUri !== undefined } },
    // Without the dispatcher, which refuses to call this machine.
    fetch: (url, { dispatcher: _, ...init }: RequestInit & { dispatcher?: unknown } = {}) => fetch(url, init),
    pkce: { required: () => true },
    issueRefreshToken: async () => refreshes,
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => {
      const account = accounts.get(accountId)
      return account && { accountId, claims: () => ({ sub: accountId, ...account }) }
    },
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! })
      grant.addOIDCScope('openid email profile offline_access')
      await grant.save()
      return grant
    },
  })
  provider.on('server_error', (_, error) => console.error(error))
  const callback = provider.callback()
  handlers.serve = (request, response) => {
    if (request.url?.startsWith('/interaction/')) void provider.interactionFinished(request, response, { login })
    else void callback(request, response)
  }
  const stop = () =>
    new Promise<void>(resolve => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  stopAtEnd(stop)
  /** The cookies of each user's browser. */
  const browsers = new Map<string, Map<string, string>>()
  async function request(at: string, cookies: Map<string, string>, form?: URLSearchParams) {
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
    const response = await fetch(at, { redirect: 'manual', headers, ...(form && { method: 'POST', body: form }) })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return response
  }
  return {
    issuer,
    stop,
    /** Signs claims as the provider does. */
    sign: (claims: object, typ = 'logout+jwt') =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'signing', typ }).sign(privateKey),
    /** Signs a user out at the provider, in the browser in which the user signed in last. */
    async signOut(accountId: string): Promise<void> {
      const cookies = browsers.get(accountId)!
      const page = await (await request(`${issuer}/session/end`, cookies)).text()
      const xsrf = /name="xsrf" value="(\w+)"/.exec(page)![1]!
      const done = await request(`${issuer}/session/end/confirm`, cookies, new URLSearchParams({ xsrf, logout: 'yes' }))
      if (done.status !== 303) throw new Error(`${done.status}: ${await done.text()}`)
    },
    /** Answers every request with a status, as in an outage; 0 ends the outage. */
    fail: (status: number) => {
      state.status = status
    },
    /** Follows the provider's redirects as a browser does. @returns the query with which it returns to the console */
    async follow(url: string, accountId: string, amr: string[] = ['pwd']): Promise<string> {
      Object.assign(login, { accountId, amr })
      const cookies = new Map<string, string>()
      browsers.set(accountId, cookies)
      for (let at = url; ; ) {
        if (at.startsWith(`${origin}/sign-in/oidc`)) return new URL(at).search
        const response = await request(at, cookies)
        const next = response.headers.get('location')
        if (!next) throw new Error(`${response.status}: ${await response.text()}`)
        at = new URL(next, at).href
      }
    },
  }
}
