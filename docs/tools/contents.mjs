/** Defines the order of the site's pages, and maps pages of the repository to their paths on the site. */
import { pages } from './pages.mjs'

const guides = names => names.map(name => `docs/guides/${name}.md`)
const docs = names => names.map(name => `docs/${name}.md`)
const readmes = names => names.map(name => `packages/${name}/README.md`)

/** The site's sections, in the order in which readers need them. */
export const sections = [
  { title: 'Get started', pages: ['README.md', ...guides(['quick-start', 'README'])] },
  {
    title: 'Build',
    pages: [
      ...guides(['frameworks', 'balance-transfer', 'partial-release', 'consent', 'credit-reports', 'events']),
      ...docs(['webhooks']),
      ...guides(['webhook-servers']),
      ...docs(['hosted']),
      ...guides(['migrate', 'mobile', 'flutter', 'theming', 'content-security-policy']),
    ],
  },
  { title: 'Test', pages: [...docs(['sandbox']), ...guides(['testing', 'phone']), ...readmes(['testing', 'cli'])] },
  {
    title: 'Go live',
    pages: [
      ...guides([
        'go-live',
        'providers/README',
        'providers/twilio',
        'providers/increase',
        'providers/plaid',
        'providers/upstream',
        'compliance',
        'upgrading',
      ]),
      ...docs(['support']),
    ],
  },
  {
    title: 'Operate',
    pages: [...docs(['operations', 'connectors']), ...guides(['console']), ...docs(['reliability', 'accessibility'])],
  },
  {
    title: 'Reference',
    reference: true,
    pages: [
      ...guides(['troubleshooting']),
      ...docs(['versions']),
      ...readmes(['sdk', 'elements', 'react', 'opal-react', 'opal-react-native', 'connector', 'contract']),
      ...docs(['endpoints', 'access', 'console-access', 'conformance']),
      'CHANGELOG.md',
    ],
  },
  {
    title: 'Security',
    pages: [
      ...guides(['security']),
      ...docs(['encryption', 'security/hardening', 'security/threat-model', 'security/incident', 'security/asvs']),
      'SECURITY.md',
    ],
  },
  {
    title: 'Contribute',
    pages: [
      'CONTRIBUTING.md',
      ...docs([
        'contributing/endpoints',
        'contributing/flow-steps',
        'contributing/products',
        'contributing/providers',
        'contributing/statements',
        'contributing/names',
        'contributing/pages',
        'decisions/README',
      ]),
      ...pages.filter(path => /^docs\/decisions\/\d/.test(path)),
      'CODE_OF_CONDUCT.md',
    ],
  },
]

/** The menu names that differ from their pages' titles. */
export const menuNames = {
  'README.md': 'Overview',
  'docs/guides/README.md': 'All guides',
  'docs/guides/webhook-servers.md': 'Webhooks in your server',
  'docs/guides/troubleshooting.md': 'Errors',
  'docs/access.md': 'Access by scope and team',
  'docs/console-access.md': 'Access by console role',
  'docs/endpoints.md': 'Endpoints and their tests',
  'docs/decisions/README.md': 'All decisions',
}

/**
 * Reference lists for contributors to Causeway. The lists are excluded from search because their many rows would rank
 * above the guides.
 */
export const unsearched = ['access', 'conformance', 'console-access', 'endpoints'].map(name => `docs/${name}.md`)

const named = {
  'README.md': 'overview.md',
  'CONTRIBUTING.md': 'contributing/index.md',
  'SECURITY.md': 'security/index.md',
}

/** Returns a page's path on the site; null if the site does not include the file. */
export function routeOf(path) {
  if (!pages.includes(path)) return null
  return (
    named[path] ??
    path
      .replace(/^docs\//, '')
      .replace(/^(packages\/[^/]+)\/README\.md$/, '$1.md')
      .replace(/README\.md$/, 'index.md')
      .toLowerCase()
      .replaceAll('_', '-')
  )
}
