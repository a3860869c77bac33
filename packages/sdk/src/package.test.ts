/** Tests the package as published: packs it, checks it with publint and attw, and loads it in every supported way. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createContext, runInContext } from 'node:vm'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('..', import.meta.url))
const require = createRequire(import.meta.url)
const name = '@causeway/sdk'

/** Code that a customer might write, including code that must not compile. */
const usage = `
import { Causeway, type Payment, verifyWebhook } from '${name}'
const causeway = new Causeway({ apiKey: 'sk_x', baseUrl: 'https://api.test' })
const person = { type: 'individual', individual: { first_name: 'Ana' }, expand: ['connect'] } as const
const status: 'active' | 'incomplete' | 'disabled' = (await causeway.entities.create(person)).status
for await (const { amount } of causeway.payments.list({ status: 'posted' })) amount.toFixed()
const payment: Payment = await causeway.payments.retrieve('pmt_1', {}, { version: '2025-07-04' })
const sent: string | null = (await causeway.payments.list()).lastResponse.request_id
// @ts-expect-error a type from the contract has no response of its own
payment.lastResponse
const { session_id } = await causeway.elements.token.create({
  type: 'balance_transfer', entity_id: 'ent_1', balance_transfer: { loan_amount: 5000 },
})
session_id.slice(0)
const told = await verifyWebhook({ body: '', headers: new Headers(), secret: ['s'] })
if (told.type === 'payment.update' && typeof told.event !== 'string') {
  const amount: number | undefined = told.event.data.amount
  told.delivery_id.slice(amount)
}
// @ts-expect-error there is no such event
if (told.type === 'payment.gone') told.delivery_id.slice(0)
const event = await causeway.events.retrieve('evt_1')
if (event.type === 'account.create') event.data.consent_status?.slice(0)
// @ts-expect-error a payment's event holds no amount of another type
if (event.type === 'payment.create') event.data.amount?.slice(0)
// @ts-expect-error a corporation needs its block
causeway.entities.create({ type: 'corporation' })
// @ts-expect-error there is no such status
causeway.payments.list({ status: 'gone' })
// @ts-expect-error a connect is its entity's
causeway.entities.connect.retrieve('cxn_1')
export { sent, status }
`

let place: string
let tarball: string
let packed: string

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'causeway-package-'))
  await run('pnpm', ['pack', '--pack-destination', place], { cwd: folder })
  tarball = join(place, readdirSync(place).find(name => name.endsWith('.tgz')) ?? '')
  await run('tar', ['-xzf', tarball, '-C', place])
  packed = join(place, 'package')
}, 120_000)
afterAll(() => rmSync(place, { recursive: true, force: true }))

const files = (ending: string) =>
  readdirSync(join(packed, 'dist'), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith(ending))

describe('the packed package', () => {
  it('passes publint', async () => {
    const { messages, pkg } = await publint({ pkgDir: packed, strict: true })
    expect(messages.map(message => formatMessage(message, pkg))).toEqual([])
  })

  it('has correct types for every module resolution', async () => {
    const bin = join(dirname(require.resolve('@arethetypeswrong/cli/package.json')), 'dist/index.js')
    const { stdout } = await run(process.execPath, [bin, tarball, '--format', 'json'])
    const { analysis } = JSON.parse(stdout)
    expect(analysis.types).toEqual({ kind: 'included' })
    expect(analysis.problems).toEqual([])
  })

  it('has no dependencies: it loads only its own modules', () => {
    const manifest = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'))
    expect({ ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies }).toEqual({})
    const loaded = /(?:\bfrom|\bimport|\bimport\(|\brequire\(|reference types=)\s*(['"])(.+?)\1/g
    for (const name of [...files('.js'), ...files('.d.ts')]) {
      const text = readFileSync(join(packed, 'dist', name), 'utf8').replaceAll(/^\s*\*.*$/gm, '')
      expect(
        [...text.matchAll(loaded)].map(([, , from]) => from).filter(from => !from?.startsWith('.')),
        name,
      ).toEqual([])
    }
  })

  it('contains its own version', async () => {
    const { version } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'))
    expect((await import(pathToFileURL(join(packed, 'dist/index.js')).href)).SDK_VERSION).toBe(version)
  })

  it('contains no tests', () => {
    expect(files('.js').length).toBeGreaterThan(20)
    expect([...files('.js'), ...files('.ts')].filter(name => name.includes('.test.'))).toEqual([])
  })

  it('is the same for import and for require', async () => {
    const imported = await import(pathToFileURL(join(packed, 'dist/index.js')).href)
    expect(Object.keys(imported).sort()).toEqual(Object.keys(require(packed)).sort())
    expect(Object.keys(imported)).toEqual(expect.arrayContaining(['Causeway', 'CausewayError', 'verifyWebhook']))
  })

  it('has types that compile under the strictest settings, without the Node types', async () => {
    const project = join(place, 'project')
    mkdirSync(join(project, 'node_modules/@causeway'), { recursive: true })
    symlinkSync(packed, join(project, 'node_modules', name))
    const compilerOptions = {
      target: 'ES2022',
      module: 'NodeNext',
      lib: ['ES2022', 'DOM', 'DOM.AsyncIterable'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['a.mts', 'b.cts'] }))
    writeFileSync(join(project, 'a.mts'), usage)
    writeFileSync(
      join(project, 'b.cts'),
      "import { Causeway } from '@causeway/sdk'\nexport const made: typeof Causeway = Causeway\n",
    )
    const tsc = join(folder, '../../node_modules/typescript/bin/tsc')
    const found = await run(process.execPath, [tsc, '-p', project]).catch(error => error)
    expect(found.stdout).toBe('')
  })

  it('needs only APIs that every web runtime has', async () => {
    const globals = { fetch, Headers, URL, URLSearchParams, AbortSignal, TextEncoder, TextDecoder, crypto, atob }
    const sdk = loadInto(createContext({ ...globals, setTimeout, clearTimeout, Uint8Array }), 'index.js')
    expect(Reflect.get(sdk, 'VERSION')).toMatch(/^\d{4}-/)
    const answers = [() => Promise.reject(new TypeError('fetch failed')), async () => Response.json({ id: 'ent_1' })]
    const options = {
      apiKey: 'sk_test',
      baseUrl: 'https://api.test',
      fetch: () => answers.shift()?.(),
      random: () => 0,
    }
    const causeway = new (sdk['Causeway'] as typeof import('./index.js').Causeway)(options as never)
    expect(await causeway.entities.create({ type: 'individual', individual: {} })).toEqual({ id: 'ent_1' })
    const verify = sdk['verifyWebhook'] as typeof import('./index.js').verifyWebhook
    await expect(verify({ body: '{}', headers: {}, secret: 's' })).rejects.toMatchObject({ reason: 'missing' })
  })
})

/** Loads a module with `require` into a context without any Node globals. */
function loadInto(context: object, entry: string): Record<string, unknown> {
  const loaded = new Map<string, Record<string, unknown>>()
  const load = (path: string): Record<string, unknown> => {
    const known = loaded.get(path)
    if (known) return known
    const exports = {}
    loaded.set(path, exports)
    const text = readFileSync(path, 'utf8')
    const module = runInContext(`(function (exports, require) {${text}\n})`, context, { filename: path })
    module(exports, (from: string) => load(join(dirname(path), from)))
    return exports
  }
  return load(join(packed, 'dist/cjs', entry))
}
