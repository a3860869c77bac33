/** Endpoints with which a browser signs in and out, before and after it has a session. */
import { ServiceError } from '@causeway/contract/errors'
import type { Deps } from '../platform/scope.js'
import { acceptInvitation, createAcceptOptions, showInvitation } from './invitation.js'
import { beginOidc, finishOidc } from './oidc-sign-in.js'
import { confirmPasskey, createConfirmOptions, createSignInOptions, signInWithPasskey } from './passkey.js'
import { showUser } from './show-user.js'
import type { SignInAnswer, SignInRequest, SignInRoute } from './sign-in-route.js'
import { signIn, signOut, type User } from './user.js'

/** Returns the answer for a user who has signed in. */
const signedIn = async (deps: Deps, { user, cookie }: { user: User; cookie: string }): Promise<SignInAnswer> => ({
  body: await showUser(deps, user),
  session: cookie,
})

async function signInWithSecret({ options, deps, body: { key, link }, cookie }: SignInRequest): Promise<SignInAnswer> {
  if ((typeof key === 'string') === (typeof link === 'string'))
    throw new ServiceError('INVALID_REQUEST', 'Send either key or link, as a string.')
  const credentials = typeof key === 'string' ? { key } : { link: link as string }
  return signedIn(deps, await signIn({ ...options, deps }, credentials, cookie))
}

export const signInRoutes: readonly SignInRoute[] = [
  {
    method: 'GET',
    path: '/api/session',
    access: 'first_factor',
    run: async ({ deps, user }) => ({ body: await showUser(deps, user!) }),
  },
  { method: 'POST', path: '/api/session', access: 'none', run: signInWithSecret },
  {
    method: 'DELETE',
    path: '/api/session',
    access: 'first_factor',
    async run({ options: { oidc }, deps, user }) {
      await signOut(deps, user!)
      const sign_out_url = user!.session.provider === null ? null : ((await oidc?.signOutUrl()) ?? null)
      return { body: { sign_out_url }, session: null }
    },
  },
  {
    method: 'GET',
    path: '/api/sign-in',
    access: 'none',
    run: async ({ options: { allowsKeys, oidc } }) => ({
      body: { passkey: true, key: allowsKeys, oidc: oidc && { name: oidc.settings.name } },
    }),
  },
  {
    method: 'POST',
    path: '/api/sign-in/passkey/options',
    access: 'none',
    run: async request => ({ body: await createSignInOptions(request) }),
  },
  {
    method: 'POST',
    path: '/api/sign-in/passkey',
    access: 'none',
    run: async request => signedIn(request.deps, await signInWithPasskey(request)),
  },
  {
    method: 'POST',
    path: '/api/sign-in/invitation',
    access: 'none',
    run: async request => ({ body: await showInvitation(request) }),
  },
  {
    method: 'POST',
    path: '/api/sign-in/invitation/options',
    access: 'none',
    run: async request => ({ body: await createAcceptOptions(request) }),
  },
  {
    method: 'POST',
    path: '/api/sign-in/invitation/accept',
    access: 'none',
    run: async request => signedIn(request.deps, await acceptInvitation(request)),
  },
  { method: 'POST', path: '/api/sign-in/oidc', access: 'none', run: beginOidc },
  {
    method: 'POST',
    path: '/api/sign-in/oidc/finish',
    access: 'none',
    run: async request => signedIn(request.deps, await finishOidc(request)),
  },
  {
    method: 'POST',
    path: '/api/session/passkey/options',
    access: 'first_factor',
    run: async request => ({ body: await createConfirmOptions(request) }),
  },
  {
    method: 'POST',
    path: '/api/session/passkey',
    access: 'first_factor',
    run: async request => signedIn(request.deps, await confirmPasskey(request)),
  },
]
