/** Signs in with an OpenID provider. */
import { ServiceError } from '@causeway/contract/errors'
import { randomText } from '../platform/crypto/random.js'
import { sha256, type Vault } from '../platform/crypto/vault.js'
import { transact } from '../platform/scope.js'
import { sealTokens } from './oidc-check.js'
import { admitPerson } from './oidc-users.js'
import type { SignInRequest } from './sign-in-route.js'
import { loadUser, startSession } from './user.js'
import { insertChallenge, takeChallenge } from './users/credentials.js'
import { hashSid, type Oidc, type OidcChecks } from './users/oidc.js'

/** Derives the values that bind the provider's response to the request, so that they need not be stored. */
const checksOf = (vault: Vault, state: string): OidcChecks => ({
  state,
  nonce: vault.hash('console oidc nonce', state),
  verifier: vault.hash('console oidc verifier', state),
})

function requireOidc({ options: { oidc } }: Pick<SignInRequest, 'options'>): Oidc {
  if (oidc) return oidc
  throw new ServiceError('NOT_FOUND', 'This console has no OpenID provider. Sign in with your passkey.')
}

/** Begins a sign-in. The browser keeps a cookie, so that only it can finish the sign-in, in any of its tabs. */
export async function beginOidc(request: SignInRequest) {
  const { deps, body, browser = randomText(43) } = request
  const { invitation } = body
  const state = randomText(43)
  const url = await requireOidc(request).begin(checksOf(deps.vault, state))
  const challenge = {
    kind: 'oidc',
    browser_hash: sha256(browser),
    invitation_hash: typeof invitation === 'string' ? sha256(invitation) : null,
  } as const
  await deps.store.write(tx => insertChallenge(tx, state, challenge, deps.clock()))
  return { body: { url }, browser }
}

/** Finishes a sign-in with the query with which the provider sent the browser back. */
export async function finishOidc(request: SignInRequest) {
  const { deps, body, browser, options, cookie: previousCookie } = request
  const oidc = requireOidc(request)
  const search = typeof body['search'] === 'string' ? body['search'] : ''
  const state = new URLSearchParams(search).get('state') ?? ''
  const taken = await deps.store.write(tx => takeChallenge(tx, state, 'oidc', deps.clock()))
  // mutant: oidc-finishes-in-same-browser (drop 3)
  if (!taken || browser === undefined || taken.browser_hash !== sha256(browser))
    throw new ServiceError(
      'UNAUTHORIZED',
      'This sign-in began more than 10 minutes ago, was already completed, or began in another browser. Sign in again.',
    )
  const person = await oidc.finish(search, checksOf(deps.vault, state))
  const { team, user } = await admitPerson(deps, oidc.settings, person, taken.invitation_hash)
  const { cookie, row } = await transact(deps, team, scope =>
    startSession(
      scope,
      {
        user: {
          id: user.id,
          name: user.name,
          hasSecondFactor: person.hasSecondFactor,
          sidHash: person.sid === null ? null : hashSid(oidc.settings.issuer, person.sid),
          sealTokens: session => sealTokens(deps, team, session, person.tokens),
        },
      },
      previousCookie,
    ),
  )
  return { user: await loadUser({ ...options, deps }, row), cookie }
}
