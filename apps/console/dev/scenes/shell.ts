/** Scenes for the shell around the pages, and for the screens that replace the shell. */
import { fail, given, listed } from '../fake.js'
import { list } from '../fixtures/money.js'
import type { Scene } from '../mount.js'

const base = { 'GET /payments': listed(list) }

export const shellScenes: Record<string, Record<string, Scene>> = {
  shell: {
    sign_in: { at: '/payments', replies: { 'GET /session': fail(401, 'UNAUTHORIZED') } },
    unavailable: { at: '/payments', replies: { 'GET /session': fail(503) } },
    unknown: { at: '/nowhere', replies: base },
    search: {
      at: '/payments',
      replies: { ...base, 'POST /search': given({ data: [] }) },
      press: ['.find'],
    },
    production: { at: '/payments', replies: base, session: { environment: 'production', clock: null } },
  },
}
