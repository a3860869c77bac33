/**
 * Calls every route in the contract with every scope, as the team that owns the ids, its child, its parent and an
 * unrelated team. Compares the outcomes with docs/access.md, in which each row names its reviewer. To regenerate that
 * page, run:
 *   UPDATE_ACCESS=1 npx vitest run --project api apps/api/src/platform/http/pipeline/access.test.ts
 * New and changed rows must then be reviewed.
 */
import { type Endpoint, scopeOf } from '@causeway/contract/declaration/endpoint'
import { families } from '@causeway/contract/endpoints/table'
import { type KeyScope, keyScopes } from '@causeway/contract/fields/key-scopes'
import { it } from 'vitest'
import { createKey } from '../../../team/teams/keys.js'
import { bodies, createPlaces } from '../../../testing/contract/places.js'
import { serviceJwk } from '../../../testing/encryption.js'
import { reviewedPage } from '../../../testing/reviewed-page.js'
import { type Reply, testService } from '../../../testing/service.js'

const page = reviewedPage('access.md')
const head = `# Who may do what

For every endpoint, this page lists the outcome by key scope and by team. There are four teams: the team that owns the ids in the
path, its child, its parent, and a team outside its tree. \`apps/api/src/platform/http/pipeline/access.test.ts\` writes the page. The
test calls each endpoint, and fails if an outcome differs from the table or a row has no reviewer. In the *Reviewed* column,
\`author\` is the person who declared the endpoint, and \`reader\` is the person who compared the row with the endpoint's behavior and
output.

*Scope* is the only scope that the endpoint accepts. With any other scope, each of the four teams receives 403 \`FORBIDDEN\`.
The other columns show the outcome with that scope:

- \`200\` means success. If the path contains no id, the response contains the caller's own resources.
- \`400\` means that the request passed every access check. Most of the test's request bodies are empty.
- \`404\` is also the response for an id that no team has.

\`apps/api/src/platform/http/endpoint/tenants.test.ts\` tests ids in bodies and filters. For endpoints that require an Opal token, the rows
show the response to a secret key. Simulations return 403 in production.
`
const roles = ['Own', 'Child', 'Parent', 'Other'] as const
type Role = (typeof roles)[number]
/** The owner's calls are made last, so that the resources still exist when the other teams make their calls. */
const calls: readonly Role[] = ['Other', 'Child', 'Parent', 'Own']
const weight = ({ method, path }: Endpoint) =>
  method === 'GET' ? 0 : path.endsWith('/consent') ? 2 : method === 'DELETE' ? 3 : path.includes('default_enc') ? 2 : 1

const outcomeOf = ({ status, body }: Reply): string =>
  status === 200 ? '200' : `${status} ${(body['error'] as { sub_type: string }).sub_type}`

it('every route gives each scope and each team the access listed in the reviewed table', {
  timeout: 600_000,
}, async () => {
  const service = await testService()
  const { ids, fill, child } = await createPlaces(service)
  Object.assign(ids, {
    mch_id: 'mch_301761',
    pdt_id: 'pdt_15',
    'assets/merchants/:file': 'mch_301761.svg',
    'assets/cards/:file': 'pdt_15_brd_1.svg',
    jwk_id: (await serviceJwk(service)).kid,
  })
  const parent = (await service.anotherTeam()).team
  const other = (await service.anotherTeam()).team
  await service.store.write(async tx => {
    await tx
      .updateTable('teams')
      .set({ parent_id: parent, path: `${parent}/${service.team}` })
      .where('id', '=', service.team)
      .execute()
    await tx
      .updateTable('teams')
      .set({ path: `${parent}/${service.team}/${child.team}` })
      .where('id', '=', child.team)
      .execute()
  })
  const teams = { Own: service.team, Child: child.team, Parent: parent, Other: other }
  const keys = new Map<string, string>()
  for (const role of roles)
    for (const scope of keyScopes) {
      const { value } = await service.store.write(tx => createKey(tx, teams[role], 0, { scopes: [scope] }))
      keys.set(`${role} ${scope}`, value)
    }
  const childKey = () => service.store.write(async tx => (await createKey(tx, child.team, 0)).row.id)
  const cells = new Map<string, string>()
  const all = families.flatMap(family => family.endpoints).sort((a, b) => weight(a) - weight(b))
  for (const endpoint of all) {
    const { method, path } = endpoint
    const name = `${method} ${path}`
    for (const role of calls) {
      // Creates a new key for each team to revoke, because a successful call revokes the key.
      if (path === '/teams/:team_id/keys/:key_id') ids['teams/:team_id/keys/:key_id'] = await childKey()
      const seen = new Map<KeyScope, string>()
      for (const scope of keyScopes) {
        const body = method === 'GET' || method === 'DELETE' ? undefined : (bodies[name] ?? {})
        const headers = { authorization: `Bearer ${keys.get(`${role} ${scope}`)}`, 'service-version': '2026-03-30' }
        seen.set(scope, outcomeOf(await service.call(method, fill(path, true), body, headers)))
      }
      cells.set(`${role} ${name}`, summary(endpoint, seen))
    }
  }

  const parts = families.map(({ name, endpoints }) => {
    const rows = endpoints.map(endpoint => {
      const { method, path, auth = 'secret' } = endpoint
      const scope = auth === 'secret' ? scopeOf(endpoint) : auth === 'opal' ? 'Opal token' : 'no key'
      return `| \`${method} ${path}\` | ${scope} | ${roles.map(role => cells.get(`${role} ${method} ${path}`)).join(' | ')} |`
    })
    return page.table(name, ['Endpoint', 'Scope', ...roles], rows)
  })
  page.check([head, ...parts].join('\n'))
})

/**
 * Returns only the outcome for the endpoint's scope if no other scope is accepted; otherwise, returns the outcomes for
 * all scopes.
 */
function summary(endpoint: Endpoint, seen: ReadonlyMap<KeyScope, string>): string {
  if ((endpoint.auth ?? 'secret') === 'secret') {
    const own = scopeOf(endpoint)
    if ([...seen].every(([scope, outcome]) => scope === own || outcome === '403 FORBIDDEN')) return seen.get(own)!
  }
  const outcomes = new Set(seen.values())
  return outcomes.size === 1 ? [...outcomes][0]! : [...seen].map(pair => pair.join(': ')).join(', ')
}
