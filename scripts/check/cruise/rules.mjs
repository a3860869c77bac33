/**
 * The rules of imports, in dependency-cruiser's format. `guards/imports.mjs` applies them.
 *
 * Packages are separated by trust: code on a customer's page must not have access to the service's data, and the
 * end-to-end tests must have no more access than a customer does. Modules of the service form a list, and import only
 * earlier modules, even for types, so that each can be read without the later ones. Rules of a feature use no framework
 * and no store, so that they can be tested without a server.
 */
const SRC = 'apps/api/src'

/** The modules of the service in order. Each may import the modules before it. */
export const order = [
  'platform',
  'versions',
  'network',
  'team',
  'notify',
  'people',
  'money',
  'flow',
  'forwarding',
  'privacy',
  'timeline',
  'console',
  'sandbox',
  'main',
]

/** The files of a module that other modules may import: folders, which end with a slash, and files. */
const doors = {
  network: ['capabilities/capabilities', 'ports', 'outside-call', 'payees/directory', 'payees/person'],
  team: ['requests/store', 'teams/(?:console-sessions|grants|keys|origin|reads|stops|store)'],
  notify: ['emit', 'events/(?:changes|show)'],
  people: [
    'deps',
    'files/store',
    'holders/',
    'records/',
    'lifecycle/',
    'subscriptions/(?:store|subscription)',
    'accounts/(?:expand|store|verification|verification-tries)',
    'accounts/methods/(?:method|registry|[^/]+/method)',
    'entities/(?:answers|attempts|input|proof-time|sessions|store)',
    'entities/methods/(?:method|kba/open-questions|sms/codes)',
    'links/(?:job|pages|store)',
    'managed/accounts',
    'products/registry',
    'products/[^/]+/(?:product|store)',
  ],
  money: [
    'payments/(?:accounts|create|payment|payment-hold|show|store)',
    'lifecycle/(?:inbound|transition)',
    'ledger/(?:check|periodic-check)',
    'reconciliation/(?:all-teams|reconcile|schedule|store)',
  ],
}

/** The files that `main` may also import, because it puts the modules together. */
const doorsOfMain = {
  network: ['.+'],
  team: ['module', 'encryption/(?:messages|service-keys)', 'teams/(?:access|team)'],
  notify: ['module', 'webhooks/webhook'],
  people: ['module', 'facts'],
  money: ['module', 'payments/source'],
}

const either = patterns => `(?:${patterns.join('|')})`
const contract = file => `^packages/contract/src/${file}`
const npm = names => `(?:^|/)node_modules/${either(names)}/`
/** Modules of the contract that load on customers' pages. They may import only one another. */
const SMALL = contract('(?:frame|allocations|session|money)\\.ts$')
const RUNTIME = { dependencyTypesNot: ['type-only'] }
const TEST = '\\.test\\.(?:ts|mjs)$|/(?:test|testing|tests)/'

/** The imports that each workspace may have beside its own files: of the repository, of npm, and of Node. */
const workspaces = {
  'packages/contract': { npm: ['zod'] },
  'packages/connector': { ours: [contract('')], npm: ['zod', 'jose', '@hono/node-server'], node: true },
  'packages/providers': {
    ours: [contract(''), '^packages/connector/'],
    npm: ['increase', 'jose', 'plaid'],
    node: true,
  },
  'packages/elements': { ours: [SMALL], npm: ['lit', '@lit/[^/]+', 'react', '@types/react'] },
  'packages/react': { ours: ['^packages/elements/'], npm: ['react', '@types/react'] },
  'packages/opal-react': { ours: ['^packages/elements/'], npm: ['react', '@types/react'] },
  'packages/opal-react-native': {
    // React Native is not installed here.
    ours: ['^packages/elements/', '^packages/opal-react/src/hooks\\.', '^react-native(?:-webview)?$'],
    npm: ['react', '@types/react'],
  },
  'packages/sdk': { inTests: [contract('')] },
  'packages/testing': {
    npm: ['@playwright/test', 'cypress'],
    tests: '\\.test\\.ts$',
    inTests: ['^packages/elements/', '^packages/testing/'],
  },
  'packages/cli': { ours: [contract(''), '^packages/sdk/'], node: true },
  'packages/ui': { npm: ['lit'] },
  'apps/flow': { ours: [contract(''), '^packages/ui/'], npm: ['lit', '@lit/[^/]+'] },
  'apps/console': { ours: ['^packages/sdk/', '^packages/ui/'], npm: ['lit', '@lit/[^/]+', '@simplewebauthn/browser'] },
  'apps/api': {
    ours: [contract(''), '^packages/(?:connector|providers)/'],
    npm: ['.+'],
    node: true,
    inTests: ['^packages/sdk/'],
  },
  'apps/demo': { ours: ['^packages/sdk/', '^packages/elements/'], npm: ['.+'], node: true },
  e2e: { ours: ['^packages/testing/', '^frameworks/react/bundle\\.'], npm: ['.+'], node: true },
}

const packageRules = Object.entries(workspaces).flatMap(
  ([folder, { ours = [], npm: names = [], node = false, tests = TEST, inTests = [] }]) => {
    const code = folder === 'e2e' ? '^e2e' : `^${folder}/src`
    const inside = [`^${folder}/`, ...ours]
    return [
      {
        name: `${folder} may import only what its workspace allows`,
        from: { path: `${code}/`, pathNot: tests },
        to: {
          pathNot: names.length > 0 ? [...inside, npm(names)] : inside,
          ...(node ? { dependencyTypesNot: ['core'] } : {}),
        },
      },
      {
        name: `tests of ${folder} may import only what its workspace allows`,
        from: { path: `${code}.*(?:${tests})` },
        to: { path: '^(?:packages|apps|e2e)/', pathNot: [...inside, ...inTests] },
      },
      {
        name: `${folder} names other workspaces by their package`,
        from: { path: `${code}/` },
        to: { path: '^(?:packages|apps|e2e)/', pathNot: `^${folder}/`, dependencyTypes: ['local'] },
      },
    ]
  },
)

const pageRules = [
  {
    name: "modules that load on customers' pages import only one another",
    from: { path: SMALL },
    to: { pathNot: SMALL, ...RUNTIME },
  },
  {
    name: 'the frame imports only types of resources, because their schemas need the schema library',
    from: { path: '^apps/flow/src/', pathNot: TEST },
    to: { path: contract('(?:fields|methods|products|resources)/'), ...RUNTIME },
  },
]

const moduleRules = [
  ...order.map((name, index) => ({
    name: `${name} may not import a later module`,
    from: { path: `^${SRC}/${name}/` },
    to: { path: `^${SRC}/${either([...order.slice(index + 1), 'testing'])}/` },
  })),
  ...Object.keys(doors).flatMap(name =>
    [
      { inside: `(?!${either([name, 'main', 'testing'])}/)`, files: doors[name] },
      { inside: 'main/', files: [...doors[name], ...doorsOfMain[name]] },
    ].map(({ inside, files }) => ({
      name: `${name} may be entered only through its doors`,
      from: { path: `^${SRC}/${inside}`, pathNot: TEST },
      to: {
        path: `^${SRC}/${name}/`,
        pathNot: files.map(file => `^${SRC}/${name}/${file}${file.endsWith('/') ? '' : '\\.ts$'}`),
      },
    })),
  ),
  {
    name: 'every file can be read without the files that import it: imports have no cycle, even of types',
    from: { path: '^(?:packages|apps)/[^/]+/src/', pathNot: TEST },
    to: { circular: true },
  },
]

/** Modules without features. */
const FLAT = either(['platform', 'versions', 'network', 'sandbox', 'main', 'testing'])
/**
 * Rules of a feature: `payment.ts` or `payments.ts` in `payments/`, `rules.ts` and `*-rules.ts`; what accounts, entities
 * and products are; and the pure files of the platform that all features share.
 */
export const RULES = [
  `^${SRC}/(?!${FLAT}/)(?:[^/]+/|)([^/]+?)(?:ies|s)?/(?:\\1(?:y|s|ies)?|rules|[^/]+-rules)\\.ts$`,
  `^${SRC}/people/holders/(?:account|entity|product)\\.ts$`,
  `^${SRC}/platform/(?:calendar/calendar|db/json-column|name-words)\\.ts$`,
]
const ROUTES = '[/-]routes(?:/|[.-])'

const layerRules = [
  {
    name: 'rules may import only the contract and other rules',
    from: { path: RULES },
    to: { pathNot: [...RULES, contract('')], ...RUNTIME },
  },
  ...['([^/]+)/[^/]+\\.ts$', '([^/]+/[^/]+)/'].map(feature => ({
    name: "a feature uses another feature's rules or store, not its routes",
    from: { path: `^${SRC}/(?!${FLAT}/)${feature}` },
    to: { path: ROUTES, pathNot: [`^${SRC}/$1/`, `^${SRC}/${FLAT}/`] },
  })),
]

export const forbidden = [...packageRules, ...pageRules, ...moduleRules, ...layerRules].map(rule => ({
  ...rule,
  severity: 'error',
}))
