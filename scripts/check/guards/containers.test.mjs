import { expect, it } from 'vitest'
import { check } from './containers.mjs'
import { readRepository } from './repository.mjs'

const files = readRepository()
const texts = new Map(files.map(({ path, text }) => [path, text]))
/** Returns the repository files with one file changed. */
const changed = (path, from, to) => {
  expect(texts.get(path)).toContain(from)
  return check(files.map(each => (each.path === path ? { path, text: each.text.replace(from, to) } : each)))
}

it('accepts the containers of this repository', () => {
  expect(texts.has('compose.yaml') && texts.has('Dockerfile')).toBe(true)
  expect(check(files)).toEqual([])
})

it.each([
  ['compose.yaml', 'ROLE: worker', 'ROLES: worker', 'worker sets ROLES, which its program does not read'],
  ['compose.yaml', 'DEMO_HOST:', 'HOST:', 'demo sets HOST, which its program does not read'],
  ['compose.yaml', 'apps/demo/dist/server.js', 'apps/demo/dist/main.js', 'starts apps/demo/dist/main.js'],
  ['compose.yaml', 'postgres:17', 'postgres', 'postgres must specify a version of its image'],
  ['compose.yaml', 'service:proxy', 'service:front', 'worker needs front, which is not a service'],
  ['compose.yaml', 'read_only: true', 'read_only: false', 'must run as user 10001 on a read-only root'],
  ['compose.yaml', '  api-2: *api', '  api-2: *apis', 'Unresolved alias'],
  ['apps/api/src/main/config.ts', "'ROLE'", "'ROLES'", 'sets ROLE, which its program does not read'],
  ['Dockerfile', 'FROM node:22-slim AS', 'FROM node:20-slim AS', 'starts from Node.js 20, but .nvmrc specifies 22'],
  ['Dockerfile', 'USER 10001', 'USER root', 'has no USER 10001'],
  ['Dockerfile', '/app/packages/sdk/dist', '/app/packages/client/dist', 'copies packages/client'],
  ['Dockerfile', 'COPY --from=build /app/apps/console/dist apps/console/dist', '', 'does not copy apps/console/dist'],
  [
    'Dockerfile',
    'COPY --from=build /app/apps/demo/dist',
    'COPY --from=build /app/packages/cli/dist packages/cli/dist\nCOPY --from=build /app/apps/demo/dist',
    'copies packages/cli/dist, which notInImage lists',
  ],
  ['Dockerfile', 'main/server.js"', 'server.js"', 'starts apps/api/dist/server.js, which has no source'],
])('rejects %s with %j as %j', (path, from, to, problem) => {
  expect(changed(path, from, to).join('\n')).toContain(problem)
})
