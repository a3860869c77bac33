/**
 * Calls every endpoint as each console role and searches every response for personal values. Compares the outcomes with
 * docs/console-access.md, which names each row's reviewer. To update that page, run the command below. Then review the
 * new and changed rows.
 *   UPDATE_ACCESS=1 npx vitest run --project api apps/api/src/console/access.test.ts
 */
import type { Settings } from '@causeway/connector/provider/settings'
import type { Endpoint } from '@causeway/contract/declaration/endpoint'
import { operator, reveal } from '@causeway/contract/endpoints/console'
import { consoleApprovals } from '@causeway/contract/endpoints/console-approvals'
import { consoleAudit } from '@causeway/contract/endpoints/console-audit'
import { connections, institutions, paymentProvider } from '@causeway/contract/endpoints/console-connections'
import { consoleExports } from '@causeway/contract/endpoints/console-exports'
import { consoleLive } from '@causeway/contract/endpoints/console-live'
import { reconciliation } from '@causeway/contract/endpoints/console-reconciliation'
import { consoleSources } from '@causeway/contract/endpoints/console-sources'
import { consoleUsers } from '@causeway/contract/endpoints/console-users'
import { consoleViews } from '@causeway/contract/endpoints/console-views'
import { families } from '@causeway/contract/endpoints/table'
import { providers } from '@causeway/providers/index'
import { expect, it } from 'vitest'
import { consoleOf } from '../testing/console.js'
import { bodies, createPlaces } from '../testing/contract/places.js'
import { serviceJwk } from '../testing/encryption.js'
import { reviewedPage } from '../testing/reviewed-page.js'
import { testService } from '../testing/service.js'
import { createLiveRows } from './live/live-rows.js'
import { permissions, type Role, roles } from './roles.js'

const page = reviewedPage('console-access.md')
const head = `# Who may do what in the console

This page lists every endpoint with the [console](operations.md#console) roles that may use it.
\`apps/api/src/console/access.test.ts\` writes the page. The test calls each endpoint in each role, and fails if an outcome differs
from the table or a row has no reviewer. In the *Reviewed* column, \`author\` is the person who declared the endpoint, and \`reader\` is
the person who compared the row with the purpose of the role.

- \`yes\` means that the request passed every access check.
- \`no\` means 403 \`FORBIDDEN\`. The console serves only endpoints that need a secret key. Requests for files also return 403,
  because the console cannot mask files.

Every role sees masked values, except when a user reveals one. [Who may do what](access.md) shows what an API key with each scope
can do. Users in every role can also sign in, read their own session and sign out (\`/api/session\`).

## Roles

\`apps/api/src/console/roles.ts\` declares these permissions. The service checks requests against the declaration, and the console
shows only the actions that it allows.

`

const columns = [...roles.map(role => role.charAt(0).toUpperCase() + role.slice(1)), 'Operator']
const mark = (isHeld: boolean) => (isHeld ? 'yes' : '–')
const matrix = [
  `| Permission | ${columns.join(' | ')} |`,
  `|${' --- |'.repeat(columns.length + 1)}`,
  ...Object.entries(permissions).map(([name, { does, roles: held }]) => {
    const cells = roles.map(role => mark((held as readonly Role[]).includes(role)))
    return `| \`${name}\`: ${does} | ${cells.join(' | ')} | yes |`
  }),
  `| \`operate\`: Use the operator endpoints | ${roles.map(() => mark(false)).join(' | ')} | yes |`,
].join('\n')
const keyNote = `

An *operator* has the admin role in one team. In the sandbox, a user can also sign in with a secret key. The key's scopes then
determine the role, and limit it: *viewer* needs \`read\`; *support* \`read\`, \`write\` and \`sensitive\`; *engineer* \`read\` and
\`write\`; *admin* all scopes.
`

/** Request bodies for endpoints that check the role only after validating the body. */
const ownBodies: Record<string, unknown> = {
  'POST /console/users': { email: 'ines@example.com', role: 'viewer' },
  'POST /console/approval_settings': { approve_above: 0 },
  'POST /console/approvals/:capr_id/decline': { reason: 'Not needed' },
  'POST /entities/:ent_id/reveal': { fields: ['phone'], reason: 'The caller asks' },
}

const PROVIDER_SECRET = 'provider-secret-0'
/** The settings of a provider that serves nothing. */
const settings = Object.fromEntries(
  Object.entries(providers['increase']!.settings as Settings).map(([name, { isSecret }]) => [
    name,
    isSecret ? PROVIDER_SECRET : name,
  ]),
)

const weight = ({ method, path }: { method: string; path: string }) =>
  method === 'GET' ? 0 : path.endsWith('/consent') ? 2 : method === 'DELETE' ? 3 : 1

it('every endpoint gives each role the access in the reviewed table, and masks values', {
  timeout: 600_000,
}, async () => {
  const service = await testService({
    providers: { list: [{ provider: { ...providers['increase']!, provides: {}, hosts: () => [] }, settings }], fetch },
  })
  const { ids, fill } = await createPlaces(service)
  Object.assign(ids, {
    mch_id: 'mch_301761',
    pdt_id: 'pdt_15',
    'assets/merchants/:file': 'mch_301761.svg',
    'assets/cards/:file': 'pdt_15_brd_1.svg',
    jwk_id: (await serviceJwk(service)).kid,
    job_id: 'job_1',
    cusr_id: 'cusr_1',
    rex_id: 'rex_1',
    capr_id: 'capr_1',
    cview_id: 'cview_1',
  })
  await service.store.write(tx =>
    tx
      .updateTable('payments')
      .set({ metadata: JSON.stringify({ any: 'note-canary' }) as never })
      .where('id', '=', ids['pmt_id']!)
      .execute(),
  )
  const person = {
    individual: { email: 'canary@example.com', dob: '1971-12-13', ssn: '123456789' },
    address: { line1: '4711 Canary Street', line2: 'Canary Flat', city: 'Austin', state: 'TX', zip: '78701' },
  }
  const changed = await service.call('PUT', `/entities/${ids['ent_id']}`, person)
  expect(changed.status, changed.text).toBe(200)
  // The canaries are the person's details, the full numbers of their accounts, the customer's note and a provider's secrets.
  const canaries = ['5125550100', 'canary', 'Canary', '1971-12-13', '123456789']
  canaries.push('4000000000081580', '4000000000090342', '7000007719', PROVIDER_SECRET)
  const { open, send, operator: enter } = consoleOf(service)
  const live = createLiveRows(service.deps)
  // Otherwise, the responses of streams would not end.
  live.stop()
  const at = open({ live })
  const cookies = new Map<string, string>()
  for (const [at, role] of roles.entries()) cookies.set(columns[at]!, (await enter({ role, name: role })).cookie)
  cookies.set('Operator', (await enter()).cookie)

  const operators = [operator, connections, reconciliation].flatMap(group => Object.values(group))
  const files = Object.values<Endpoint>(consoleExports)
  const own = [
    reveal,
    paymentProvider,
    ...Object.values<Endpoint>(institutions),
    ...Object.values<Endpoint>(consoleSources),
    ...Object.values(consoleUsers),
    ...Object.values(consoleAudit),
    ...Object.values<Endpoint>(consoleViews),
    ...Object.values<Endpoint>(consoleApprovals),
    ...Object.values(consoleLive),
    ...files,
    ...operators,
  ]
  const cells = new Map<string, string>()
  const all = [...families.flatMap(family => family.endpoints), ...own].sort((a, b) => weight(a) - weight(b))
  const leaks: string[] = []
  for (const { method, path } of all) {
    const name = `${method} ${path}`
    for (const role of columns) {
      const body = method === 'GET' ? undefined : (ownBodies[name] ?? bodies[name] ?? {})
      const reply = await send(method, `/api${fill(path, true)}`, { cookie: cookies.get(role), body }, at)
      // The reveal endpoint is meant to return the value.
      if (path === reveal.path && reply.status === 200) expect(reply.body['values']).toEqual({ phone: '+15125550100' })
      else for (const value of canaries) if (reply.text.includes(value)) leaks.push(`${role}: ${name} shows ${value}`)
      const refused = (reply.body['error'] as { sub_type?: string } | null)?.sub_type
      cells.set(`${role} ${name}`, refused === 'FORBIDDEN' || refused === 'UNAUTHORIZED' ? 'no' : 'yes')
    }
  }
  expect(leaks).toEqual([])
  const sections = [...families, { name: 'Console-only endpoints', endpoints: own }].map(({ name, endpoints }) =>
    page.table(
      name,
      ['Endpoint', ...columns],
      endpoints.map(
        ({ method, path }) =>
          `| \`${method} ${path}\` | ${columns.map(role => cells.get(`${role} ${method} ${path}`)).join(' | ')} |`,
      ),
    ),
  )
  page.check([head + matrix + keyNote, ...sections].join('\n'))
})
