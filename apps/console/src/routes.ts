/** The routes. Each page's module loads when the page is first opened. `/go/{id}` uses this table to resolve ids. */
import { resourcePages } from './resource-pages.js'
import type { Route } from './router.js'

export const routes: readonly Route[] = [
  { pattern: '/overview', tag: 'page-overview', nav: 'overview', load: () => import('./pages/overview/overview.js') },
  { pattern: '/payments', tag: 'page-payments', nav: 'payments', load: () => import('./pages/payments/payments.js') },
  {
    ...resourcePages.payment,
    tag: 'page-payment',
    nav: 'payments',
    load: () => import('./pages/payments/payment.js'),
  },
  { pattern: '/people', tag: 'page-people', nav: 'people', load: () => import('./pages/people/people.js') },
  {
    ...resourcePages.person,
    tag: 'page-person',
    nav: 'people',
    load: () => import('./pages/people/person.js'),
  },
  {
    ...resourcePages.account,
    tag: 'page-account',
    nav: 'people',
    load: () => import('./pages/people/account.js'),
  },
  { pattern: '/sessions', tag: 'page-sessions', nav: 'sessions', load: () => import('./pages/sessions/sessions.js') },
  {
    ...resourcePages.session,
    tag: 'page-session',
    nav: 'sessions',
    load: () => import('./pages/sessions/session.js'),
  },
  { pattern: '/requests', tag: 'page-requests', nav: 'requests', load: () => import('./pages/requests/requests.js') },
  {
    ...resourcePages.request,
    tag: 'page-request',
    nav: 'requests',
    load: () => import('./pages/requests/request.js'),
  },
  { pattern: '/webhooks', tag: 'page-webhooks', nav: 'webhooks', load: () => import('./pages/webhooks/webhooks.js') },
  {
    pattern: '/approvals',
    tag: 'page-approvals',
    nav: 'approvals',
    load: () => import('./pages/approvals/approvals.js'),
  },
  {
    ...resourcePages.approval,
    tag: 'page-approval',
    nav: 'approvals',
    load: () => import('./pages/approvals/approval.js'),
  },
  { pattern: '/audit', tag: 'page-audit', nav: 'audit', load: () => import('./pages/team/audit.js') },
  {
    pattern: '/settings',
    tag: 'page-settings',
    nav: 'settings',
    load: () => import('./pages/team/settings.js'),
  },
  { pattern: '/keys', tag: 'page-keys', nav: 'keys', load: () => import('./pages/team/keys.js') },
  {
    pattern: '/deliveries',
    tag: 'page-deliveries',
    nav: 'deliveries',
    load: () => import('./pages/webhooks/deliveries.js'),
  },
  {
    ...resourcePages.webhook,
    tag: 'page-webhook',
    nav: 'webhooks',
    load: () => import('./pages/webhooks/webhook.js'),
  },
  { pattern: '/events', tag: 'page-events', nav: 'events', load: () => import('./pages/events/events.js') },
  {
    ...resourcePages.event,
    tag: 'page-event',
    nav: 'events',
    load: () => import('./pages/events/event.js'),
  },
  { pattern: '/users', tag: 'page-users', nav: 'users', load: () => import('./pages/users/users.js') },
  { pattern: '/account', tag: 'page-account-own', nav: 'account', load: () => import('./pages/users/account.js') },
  { pattern: '/bench', tag: 'page-bench', nav: 'bench', load: () => import('./pages/bench.js') },
  { pattern: '/health', tag: 'page-health', nav: 'health', load: () => import('./pages/health/health.js') },
  {
    pattern: '/connections',
    tag: 'page-connections',
    nav: 'connections',
    load: () => import('./pages/connections/connections.js'),
  },
  {
    pattern: '/connections/payees',
    tag: 'page-payees',
    nav: 'connections',
    load: () => import('./pages/connections/payees.js'),
  },
  {
    pattern: '/connections/notices',
    tag: 'page-notices',
    nav: 'connections',
    load: () => import('./pages/connections/notices.js'),
  },
  {
    pattern: '/connections/reconciliation',
    tag: 'page-reconciliation',
    nav: 'connections',
    load: () => import('./pages/connections/reconciliation.js'),
  },
]
