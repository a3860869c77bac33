/** The pages that show one resource, by the prefix of its id. Pages link to each other through this table. */
import type { ResourcePage } from './router.js'

export const resourcePages = {
  payment: { pattern: '/payments/:id', prefixes: ['pmt_'] },
  person: { pattern: '/people/:id', prefixes: ['ent_'] },
  account: { pattern: '/accounts/:id', prefixes: ['acc_'] },
  session: { pattern: '/sessions/:id', prefixes: ['osess_'] },
  request: { pattern: '/requests/:id', prefixes: ['req_'] },
  webhook: { pattern: '/webhooks/:id', prefixes: ['whk_'] },
  approval: { pattern: '/approvals/:id', prefixes: ['capr_'] },
  event: { pattern: '/events/:id', prefixes: ['evt_'] },
} satisfies Record<string, ResourcePage>

export const resourcePageList: readonly ResourcePage[] = Object.values(resourcePages)
