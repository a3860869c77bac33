/** The routes. Each page's module loads when the page is first opened. `/go/{id}` uses this table to resolve ids. */
import type { Route } from './router.js'

export const routes: readonly Route[] = [
  { pattern: '/overview', tag: 'page-overview', nav: 'overview', load: () => import('./pages/overview.js') },
  { pattern: '/payments', tag: 'page-payments', nav: 'payments', load: () => import('./pages/payments.js') },
  {
    pattern: '/payments/:id',
    tag: 'page-payment',
    nav: 'payments',
    prefixes: ['pmt_'],
    load: () => import('./pages/payment.js'),
  },
  { pattern: '/people', tag: 'page-people', nav: 'people', load: () => import('./pages/people.js') },
  {
    pattern: '/people/:id',
    tag: 'page-person',
    nav: 'people',
    prefixes: ['ent_'],
    load: () => import('./pages/person.js'),
  },
  {
    pattern: '/accounts/:id',
    tag: 'page-account',
    nav: 'people',
    prefixes: ['acc_'],
    load: () => import('./pages/account.js'),
  },
  { pattern: '/sessions', tag: 'page-sessions', nav: 'sessions', load: () => import('./pages/sessions.js') },
  {
    pattern: '/sessions/:id',
    tag: 'page-session',
    nav: 'sessions',
    prefixes: ['osess_'],
    load: () => import('./pages/session.js'),
  },
  { pattern: '/requests', tag: 'page-requests', nav: 'requests', load: () => import('./pages/requests.js') },
  {
    pattern: '/requests/:id',
    tag: 'page-request',
    nav: 'requests',
    prefixes: ['req_'],
    load: () => import('./pages/request.js'),
  },
  { pattern: '/webhooks', tag: 'page-webhooks', nav: 'webhooks', load: () => import('./pages/webhooks.js') },
  {
    pattern: '/webhooks/:id',
    tag: 'page-webhook',
    nav: 'webhooks',
    prefixes: ['whk_'],
    load: () => import('./pages/webhook.js'),
  },
  { pattern: '/events', tag: 'page-events', nav: 'events', load: () => import('./pages/events.js') },
  {
    pattern: '/events/:id',
    tag: 'page-event',
    nav: 'events',
    prefixes: ['evt_'],
    load: () => import('./pages/event.js'),
  },
  { pattern: '/bench', tag: 'page-bench', nav: 'bench', load: () => import('./pages/bench.js') },
  { pattern: '/health', tag: 'page-health', nav: 'health', load: () => import('./pages/health.js') },
]
