/**
 * Tests the package as it would be published: packs it, checks it with publint and attw, and compiles it in a customer
 * project.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

// The tests are slow because the tools read all Cypress and browser types once for each module resolution mode.
vi.setConfig({ testTimeout: 90_000 })

const run = promisify(execFile)
const folder = fileURLToPath(new URL('..', import.meta.url))
const require = createRequire(import.meta.url)

const withPlaywright = `
import type {} from '@causeway/elements'
import {
  codes, completeConnect, elementFrame, type ElementEvents, type ElementEventType, flowIn, nextEvent,
} from '@causeway/testing/playwright'
import { test } from '@playwright/test'
test('a person links an account', async ({ page }) => {
  const { accounts } = await completeConnect(page, { accounts: ['Chase'], code: codes.correct })
  accounts.map(id => id.length)
  const total: number = (await nextEvent(page, 'allocations-change')).total
  await elementFrame(page, 'connect-element').screen('code').waitFor({ timeout: total })
  await flowIn(page.frameLocator('#flow')).done()
  // @ts-expect-error a connection has no amounts
  await completeConnect(page, { amounts: {} })
  // @ts-expect-error an event has its own fields
  ;(await nextEvent(page, 'element-exit')).total
  // @ts-expect-error there is no such event
  await nextEvent(page, 'element-done')
})
type Own<E> = { -readonly [Name in keyof E as Name extends keyof Event ? never : Name]: E[Name] }
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Real<Type extends ElementEventType> = Own<HTMLElementEventMap[Type]>
export const same: { [Type in ElementEventType]: Same<Real<Type>, Own<ElementEvents[Type]>> } = {
  'element-ready': true,
  'element-open': true,
  'element-event': true,
  'element-success': true,
  'element-error': true,
  'element-exit': true,
  'allocations-change': true,
  'allocations-confirmed': true,
}
type Ours = Extract<keyof HTMLElementEventMap, \`element-\${string}\` | \`allocations-\${string}\`>
export const all: Same<Ours, ElementEventType> = true
`
const withCypress = `
import { codes, completeConnect, dispatchElementEvent, elementFrame, nextEvent } from '@causeway/testing/cypress'
completeConnect().then(({ accounts }) => accounts.map(id => id.length))
elementFrame('connect-element').consent().verifyPhone({ code: codes.expired }).message('too old').should('be.visible')
const exit = nextEvent('element-exit')
exit().then(({ reason }) => reason === 'user')
// @ts-expect-error an event has its own fields
dispatchElementEvent('connect-element', 'element-exit', { total: 1 })
`

let place: string
let tarball: string
let packed: string

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'causeway-testing-'))
  await run('pnpm', ['pack', '--pack-destination', place], { cwd: folder })
  tarball = join(place, readdirSync(place).find(name => name.endsWith('.tgz')) ?? '')
  await run('tar', ['-xzf', tarball, '-C', place])
  packed = join(place, 'package')
}, 120_000)
afterAll(() => rmSync(place, { recursive: true, force: true }))

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

  it('loads only its own modules, and depends on no driver', () => {
    const manifest = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'))
    expect({ ...manifest.dependencies, ...manifest.optionalDependencies }).toEqual({})
    expect(manifest.peerDependenciesMeta).toEqual({
      '@playwright/test': { optional: true },
      cypress: { optional: true },
    })
    const scripts = readdirSync(join(packed, 'dist'), { recursive: true, encoding: 'utf8' }).filter(name =>
      name.endsWith('.js'),
    )
    expect(scripts).toEqual(
      expect.arrayContaining(['playwright.js', 'cypress.js', 'cjs/playwright.js', 'cjs/cypress.js']),
    )
    for (const name of scripts) {
      const text = readFileSync(join(packed, 'dist', name), 'utf8').replaceAll(/^\s*\*.*$/gm, '')
      const loaded = [...text.matchAll(/(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*(['"])(.+?)\1/g)]
      expect(
        loaded.map(([, , from]) => from).filter(from => !from?.startsWith('.')),
        name,
      ).toEqual([])
    }
  })

  it.each(['index', 'playwright', 'cypress'])('has the same %s for import and for require', async name => {
    const imported = await import(pathToFileURL(join(packed, `dist/${name}.js`)).href)
    expect(Object.keys(imported).sort()).toEqual(Object.keys(require(join(packed, `dist/cjs/${name}.js`))).sort())
    expect(imported.codes.correct).toBe('123456')
  })

  it.each([
    ['NodeNext', 'NodeNext', 'playwright', withPlaywright],
    ['ESNext', 'Bundler', 'playwright', withPlaywright],
    ['NodeNext', 'NodeNext', 'cypress', withCypress],
    ['ESNext', 'Bundler', 'cypress', withCypress],
  ])(
    'has the types of the elements for %s modules and %s resolution, with %s',
    async (module, moduleResolution, driver, text) => {
      const project = mkdtempSync(join(place, `${driver}-`))
      const modules = join(project, 'node_modules')
      for (const scope of ['@causeway', '@playwright']) mkdirSync(join(modules, scope), { recursive: true })
      cpSync(packed, join(modules, '@causeway/testing'), { recursive: true })
      const installed = driver === 'cypress' ? 'cypress' : '@playwright/test'
      for (const name of [installed, '@causeway/elements'])
        symlinkSync(join(folder, 'node_modules', name), join(modules, name))
      const compilerOptions = {
        target: 'ES2022',
        module,
        moduleResolution,
        lib: ['ES2022', 'DOM', 'DOM.Iterable'],
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck: true,
      }
      writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['a.mts', 'b.cts'] }))
      for (const file of ['a.mts', 'b.cts']) writeFileSync(join(project, file), text)
      const tsc = join(folder, '../../node_modules/typescript/bin/tsc')
      const found = await run(process.execPath, [tsc, '-p', project]).catch(error => error)
      expect(found.stdout).toBe('')
    },
  )
})
