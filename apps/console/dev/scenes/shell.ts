/** Scenes for the shell around the pages, and for the screens that replace the shell. */
import { failure, listed, reply } from '../fake.js'
import { paymentList } from '../fixtures/money.js'
import type { Scene } from '../mount.js'

const base = { 'GET /payments': listed(paymentList) }

export const shellScenes: Record<string, Record<string, Scene>> = {
  shell: {
    sign_in: { at: '/payments', replies: { 'GET /session': failure(401, 'UNAUTHORIZED') } },
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
