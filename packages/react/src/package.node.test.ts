/**
 * Tests the packages for React and the kit as published: packs them, checks them with publint and attw, and compiles
 * them with both React versions.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

// The tests are slow because the tools read all React and browser types once for each module resolution mode.
vi.setConfig({ testTimeout: 90_000 })

const run = promisify(execFile)
const folder = fileURLToPath(new URL('..', import.meta.url))
const require = createRequire(import.meta.url)

const name = '@causeway/react'

/** Code that a customer might write, and code that must not compile. */
const components = `
import { useRef } from 'react'
import { ConnectElement, type ConnectElementRef, OpalBalanceTransferElement } from '${name}'
export function Page() {
  const element = useRef<ConnectElementRef>(null)
  const open = async () => (await element.current!.open()).reason === 'completed'
  return (
    <>
      <button onClick={open} />
      <ConnectElement
        ref={element}
        getToken={async reason => (reason === 'expired' ? 'a' : 'b')}
        display="inline"
        theme={{ accent: '#0a7d4f', radius: 4 }}
        className="flow"
        aria-label="Accounts"
        onElementSuccess={({ accounts, result }) => [accounts.length.toFixed(), result?.length]}
        onElementExit={event => event.reason === 'user' && event.preventDefault()}
      >
        <p slot="error">Call us</p>
      </ConnectElement>
      <OpalBalanceTransferElement
        opened
        frameOrigin={null}
        onAllocationsConfirmed={({ allocations, residual_amount }) => [allocations['acc_1'], residual_amount.toFixed()]}
      />
    </>
  )
}
export const wrong = [
  // @ts-expect-error there is no such display
  <ConnectElement display="popup" />,
  // @ts-expect-error a token is text
  <ConnectElement token={1} />,
  // @ts-expect-error a callback gives a token
  <ConnectElement getToken={() => 1} />,
  // @ts-expect-error a colour is no number
  <ConnectElement theme={{ accent: 1 }} />,
  // @ts-expect-error an event has its own fields
  <ConnectElement onElementSuccess={({ amount }) => amount} />,
  // @ts-expect-error there is no such event
  <OpalBalanceTransferElement onElementDone={() => undefined} />,
]
`

const opal = `
import { OpalEventType, OpalMode, OpalProvider, useMethod, useOpal, type AppearanceMode } from '@causeway/opal-react'
const appearance: AppearanceMode = 'system'
function Start() {
  const { open, close, isOpen, error } = useOpal({
    env: 'dev',
    onOpen: () => undefined,
    onEvent: ({ type, mode, data }) => [type === OpalEventType.SESSION_COMPLETED, mode === OpalMode.CONNECT, data],
    onExit: () => undefined,
    parentElement: '#flow',
    portalStyles: { maxWidth: 400 },
  })
  return <button onClick={() => (isOpen ? close() : open({ token: 'otkn_', appearance }))}>{error?.sub_type}</button>
}
export const Page = () => <OpalProvider frameOrigin={{ dev: 'https://a.test' }}><Start /></OpalProvider>
export function Elements() {
  const method = useMethod({ env: 'dev', onSuccess: ({ accounts }) => accounts?.length.toFixed() })
  return <button onClick={() => method.open('pk_elem_')} />
}
export function Wrong() {
  // @ts-expect-error a payload has its own fields
  useMethod({ onExit: ({ reason }) => reason })
  // @ts-expect-error there is no such environment
  useOpal({ env: 'staging' })
  // @ts-expect-error a token is required
  useOpal().open({})
  // @ts-expect-error there is no such appearance
  useOpal().open({ token: 'otkn_', appearance: 'sepia' })
}
`

const plain = `
import type {} from '@causeway/elements'
document.querySelector('connect-element')!.open().then(({ reason }) => reason === 'completed')
const element = document.createElement('opal-balance-transfer-element')
element.addEventListener('allocations-change', ({ total }) => total.toFixed())
document.addEventListener('click', () => element.close())
// @ts-expect-error there is no such property
element.amount
// @ts-expect-error an event has its own fields
element.addEventListener('element-exit', ({ total }) => total)
`

const tags = {
  18: `
import type {} from '@causeway/elements/jsx'
import type { ConnectElement } from '@causeway/elements'
export const keep = (element: ConnectElement | null) => element?.close()
export const right = <connect-element ref={keep} locale="es" display="inline" class="a" frame-origin="https://a.test" opened="" />
export const wrong = [
  // @ts-expect-error attributes hold no functions
  <connect-element getToken={() => 'a'} />,
  // @ts-expect-error an attribute that says false is there all the same
  <opal-balance-transfer-element opened={false} />,
  // @ts-expect-error there is no such display
  <connect-element display="popup" />,
]
`,
  19: `
import type {} from '@causeway/elements/jsx'
import { useRef } from 'react'
import type { ConnectElement } from '@causeway/elements'
export function Right() {
  const ref = useRef<ConnectElement>(null)
  return (
    <connect-element ref={ref} getToken={() => 'a'} opened={false} className="a" onelement-exit={event => event.reason === 'user'} />
  )
}
export const wrong = [
  // @ts-expect-error a token is text
  <connect-element token={1} />,
  // @ts-expect-error an event has its own fields
  <opal-balance-transfer-element onelement-exit={({ total }) => total} />,
]
`,
}

const place = mkdtempSync(join(tmpdir(), 'causeway-react-package-'))
const kinds = ['react', 'opal-react', 'opal-react-native', 'elements'] as const
const packed = (kind: (typeof kinds)[number]): string => join(place, kind, 'package')
/** The version that the packages share. */
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const tarball = (kind: (typeof kinds)[number]): string => join(place, `causeway-${kind}-${version}.tgz`)

beforeAll(async () => {
  for (const kind of kinds) {
    await run('pnpm', ['pack', '--pack-destination', place], { cwd: join(folder, '..', kind) })
    mkdirSync(join(place, kind))
    await run('tar', ['-xzf', tarball(kind), '-C', join(place, kind)])
  }
}, 120_000)
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** Creates a customer project with the built packages and the types of one React version. */
function project(version: 18 | 19): string {
  const root = join(place, `with-${version}`)
  const modules = join(root, 'node_modules')
  for (const scope of ['@types', '@causeway']) mkdirSync(join(modules, scope), { recursive: true })
  for (const kind of kinds) cpSync(packed(kind), join(modules, '@causeway', kind), { recursive: true })
  symlinkSync(join(folder, '../elements/node_modules/lit'), join(modules, 'lit'))
  symlinkSync(join(folder, `node_modules/@types/react${version === 18 ? '-18' : ''}`), join(modules, '@types/react'))
  const compilerOptions = {
    target: 'ES2022',
    module: 'NodeNext',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    jsx: 'react-jsx',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  }
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', '*.tsx'] }))
  writeFileSync(join(root, 'components.tsx'), components)
  writeFileSync(join(root, 'opal.tsx'), opal)
  writeFileSync(join(root, 'plain.ts'), plain)
  writeFileSync(join(root, 'tags.tsx'), tags[version])
  return root
}

it('contains the kit with the production build of Lit, although the tests use a different NODE_ENV', () => {
  expect(process.env['NODE_ENV']).toBe('test')
  const kit = readFileSync(join(packed('elements'), 'dist/kit.js'), 'utf8')
  expect(/dev.?mode/i.test(kit)).toBe(false)
})

describe.each(kinds)('the packed package of %s', kind => {
  it('passes publint', async () => {
    const { messages, pkg } = await publint({ pkgDir: packed(kind), strict: true })
    expect(messages.map(message => formatMessage(message, pkg))).toEqual([])
  })

  it('has correct types for every supported import', async () => {
    const bin = join(dirname(require.resolve('@arethetypeswrong/cli/package.json')), 'dist/index.js')
    const { stdout } = await run(process.execPath, [bin, tarball(kind), '--format', 'json', '--profile', 'esm-only'])
    const { analysis } = JSON.parse(stdout)
    expect(analysis.types).toEqual({ kind: 'included' })
    const ours = ({ resolutionKind }: { resolutionKind: string }) => !/node10|node16-cjs/.test(resolutionKind)
    expect(analysis.problems.filter(ours)).toEqual([])
  })

  it('includes the README and any custom elements manifest, but no tests', () => {
    const files = readdirSync(packed(kind), { recursive: true, encoding: 'utf8' })
    expect(files.filter(name => /\.test\.|\btesting\b/.test(name))).toEqual([])
    const { customElements } = JSON.parse(readFileSync(join(packed(kind), 'package.json'), 'utf8'))
    if (customElements) expect(files).toContain(customElements)
    expect(files).toContain('README.md')
  })
})

describe('the packed kit', () => {
  it('depends only on Lit', () => {
    const manifest = JSON.parse(readFileSync(join(packed('elements'), 'package.json'), 'utf8'))
    expect(manifest.dependencies).toEqual({ lit: '3.3.3' })
    expect({ ...manifest.peerDependencies, ...manifest.optionalDependencies }).toEqual({})
    const files = readdirSync(join(packed('elements'), 'dist'), { recursive: true, encoding: 'utf8' })
    const texts = files
      .filter(name => /(?<!kit)\.(?:js|d\.ts)$/.test(name))
      .map(name => readFileSync(join(packed('elements'), 'dist', name), 'utf8').replaceAll(/^\s*\*.*$/gm, ''))
    const loaded = texts.flatMap(text => [...text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*(['"])([^.'"].*?)\1/g)])
    expect([...new Set(loaded.map(([, , from]) => from))].sort()).toEqual(['lit', 'react'])
  })
})

it("has a module of Opal's interface for import maps that imports only React", () => {
  const text = readFileSync(join(packed('opal-react'), 'dist/page.js'), 'utf8')
  const loaded = [...text.matchAll(/\b(?:from|import)\s*\(?\s*(["'`])(.+?)\1/g)]
  expect(loaded.map(([, , from]) => from)).toEqual(['react'])
  expect(readdirSync(join(packed('opal-react'), 'dist')).filter(name => name.endsWith('.br'))).toEqual([])
})

describe('the packed components', () => {
  it('depend only on React and the kit', () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(packed('react'), 'package.json'), 'utf8'))
    expect(dependencies).toEqual({ '@causeway/elements': version })
    expect(peerDependencies).toEqual({ react: '^18.0.0 || ^19.0.0' })
    const files = readdirSync(join(packed('react'), 'dist'), { encoding: 'utf8' })
    const loaded = files
      .filter(name => name.endsWith('.js'))
      .flatMap(name => [
        ...readFileSync(join(packed('react'), 'dist', name), 'utf8').matchAll(
          /^(?:import|export)\b[^;'"]*['"]([^'".][^'"]*)['"];/gm,
        ),
      ])
    expect([...new Set(loaded.map(([, from]) => from))].sort()).toEqual(['@causeway/elements/define', 'react'])
  })

  it.each([18, 19] as const)('have types that fit React %i and reject invalid use', async version => {
    const tsc = join(folder, '../../node_modules/typescript/bin/tsc')
    const found = await run(process.execPath, [tsc, '-p', project(version)]).catch(error => error)
    expect(found.stdout).toBe('')
  })
})
