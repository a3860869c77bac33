/**
 * `pnpm provider new NAME`: writes the files of a new provider, and adds it to the registry. The test fails until the
 * provider serves a method. docs/contributing/providers.md describes the next steps.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = process.env.CAUSEWAY_ROOT ?? fileURLToPath(new URL('../..', import.meta.url))
const [command, name = ''] = process.argv.slice(2)
const fail = message => {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
if (command !== 'new') fail('usage: pnpm provider new NAME')
if (!/^[a-z][a-z0-9]{1,30}$/.test(name))
  fail('NAME must be 2 to 31 lowercase letters and digits, and start with a letter, such as examplebank.')
const folder = `packages/providers/src/${name}`
if (existsSync(join(root, folder))) fail(`${folder} exists. Choose another name.`)

const title = name[0].toUpperCase() + name.slice(1)
const upper = name.toUpperCase()

const files = {
  [`${folder}/settings.ts`]: `import type { ProviderContext } from '@causeway/connector/provider/provider'
import { address, secret } from '@causeway/connector/provider/settings'

export const LIVE_URL = 'https://api.${name}.example'

export const settings = {
  ${upper}_API_KEY: secret({
    what: 'the API key from the dashboard of ${title}',
    pattern: /^[\\x21-\\x7e]{8,200}$/,
    mustBe: 'the key from the dashboard, without spaces',
  }),
  ${upper}_API_URL: address('the base address of the API', LIVE_URL),
}

export type Context = ProviderContext<typeof settings>
`,
  [`${folder}/client.ts`]: `import type { ProviderRequest } from '@causeway/connector/provider/provider'
import type { Context } from './settings.js'

/** Sends a request with the key. @param path begins with a slash */
export const send = (
  { settings, fetch }: Pick<Context, 'settings' | 'fetch'>,
  method: ProviderRequest['method'],
  path: string,
  body?: object,
) =>
  fetch({
    method,
    url: \`\${settings.${upper}_API_URL}\${path}\`,
    headers: {
      authorization: \`Bearer \${settings.${upper}_API_KEY}\`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
`,
  [`${folder}/provider.ts`]: `import { provider } from '@causeway/connector/provider/provider'
import { send } from './client.js'
import { LIVE_URL, settings } from './settings.js'

export const ${name} = provider({
  name: '${name}',
  title: '${title}',
  settings,
  hosts: ({ ${upper}_API_URL }) => [${upper}_API_URL],
  environment: ({ ${upper}_API_URL }) => (${upper}_API_URL === LIVE_URL ? 'production' : 'sandbox'),
  // The methods by path, such as 'identity/send_code'. The compiler requires an outcome lookup for each act.
  provides: {},
  outcomes: {},
  capabilities: () => ({}),
  async *check(context) {
    await send(context, 'GET', '/ping')
    yield { level: 'ok', message: '${title} accepted the key.' }
  },
  proven: { level: 'emulator', on: '${new Date().toISOString().slice(0, 10)}' },
})
`,
  [`${folder}/emulator/emulator.ts`]: `export interface EmulatorOptions {
  /** The emulator's clock, in epoch milliseconds. */
  now?: () => number
  apiKey?: string
}

/** Emulates the API of ${title} in memory, as its documents describe it. */
export function create${title}Emulator({ now = Date.now, apiKey = 'emulated_key' }: EmulatorOptions = {}) {
  return {
    async answer(request: Request): Promise<Response> {
      if (request.headers.get('authorization') !== \`Bearer \${apiKey}\`)
        return Response.json({ error: 'unauthorized' }, { status: 401 })
      const { pathname } = new URL(request.url)
      if (pathname === '/ping') return Response.json({ time: new Date(now()).toISOString() })
      return Response.json({ error: 'not_found' }, { status: 404 })
    },
  }
}
`,
  [`${folder}/provider.test.ts`]: `import { createMemoryHost } from '@causeway/connector/testing/memory-host'
import { expect, it } from 'vitest'
import { fetchFrom } from '../testing/emulated.js'
import { create${title}Emulator } from './emulator/emulator.js'
import { ${name} } from './provider.js'

const emulator = create${title}Emulator()
const host = createMemoryHost(${name}, {
  env: { ${upper}_API_KEY: 'emulated_key', ${upper}_API_URL: 'http://127.0.0.1:4799' },
  fetch: fetchFrom(emulator.answer),
})

it('accepts the key', async () => {
  const findings = []
  for await (const finding of ${name}.check(host.contextOf('team_1') as never)) findings.push(finding)
  expect(findings.map(({ level }) => level)).toEqual(['ok'])
})

it('serves at least one method', () => {
  expect(Object.keys(${name}.provides)).not.toEqual([])
})
`,
  [`docs/guides/providers/${name}.md`]: `# ${title}

What ${title} serves, what to ask it for, how to set it up, how to try it, its limits, what is not possible, and what each of
its codes causes.
`,
}
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const registry = join(root, 'packages/providers/src/index.ts')
const [imports, ...rest] = readFileSync(registry, 'utf8').split('\n\n')
const sorted = [...imports.split('\n'), `import { ${name} } from './${name}/provider.js'`].sort((one, other) => {
  // Packages come before files, as Biome sorts them.
  const [from, to] = [one, other].map(line => line.replace(/.*from /, '').replace(/^'(?=@)/, ' '))
  return from < to ? -1 : 1
})
const entries = rest
  .join('\n\n')
  .replace(/= \{ ([^}]*) \}/, (_, list) => `= { ${[...list.split(', '), name].sort().join(', ')} }`)
writeFileSync(registry, `${sorted.join('\n')}\n\n${entries}`)

process.stdout.write(`${Object.keys(files).join('\n')}
packages/providers/src/index.ts

Next: docs/contributing/providers.md, step 2. These must pass in the end:
  pnpm test:unit sqlite packages/providers/src/${name}
  pnpm test:unit sqlite packages/providers/src/conformance   (add a case for ${name})
  node scripts/check/guard.mjs
`)
