/** Scenes for the shell around the pages, and for the screens that replace the shell. */
import { failure, listed, reply } from '../fake.js'
import { paymentList } from '../fixtures/money.js'
import { userOf } from '../fixtures/people.js'
import type { Scene } from '../mount.js'

const signedOut = { 'GET /session': failure(401, 'UNAUTHORIZED') }
const base = { 'GET /payments': listed(paymentList) }

export const shellScenes: Record<string, Record<string, Scene>> = {
  shell: {
    sign_in: {
      at: '/payments',
      replies: { ...signedOut, 'GET /sign-in': reply({ passkey: true, key: true, oidc: null }) },
    },
    sign_in_users: {
      at: '/payments',
      replies: { ...signedOut, 'GET /sign-in': reply({ passkey: true, key: false, oidc: null }) },
    },
    sign_in_oidc: {
      at: '/payments',
      replies: { ...signedOut, 'GET /sign-in': reply({ passkey: true, key: false, oidc: { name: 'Harbor Login' } }) },
    },
    second_factor: {
      at: '/payments',
      session: { user: { ...userOf('Juno Whitlock', 'admin'), needs_second_factor: true } },
      replies: { 'GET /console/account': reply({ email: 'juno@example.com', name: 'Juno Whitlock', passkeys: [] }) },
    },
    unavailable: { at: '/payments', replies: { 'GET /session': failure(503) } },
    unknown: { at: '/nowhere', replies: base },
    search: {
      at: '/payments',
      replies: { ...base, 'POST /search': reply({ data: [] }) },
      press: ['.find'],
    },
    production: { at: '/payments', replies: base, session: { environment: 'production', clock: null } },
  },
}
