/** Compiles the package for React Native, and the app of its README, against React Native's and its webview's own types. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blocks } from '../docs/tools/pages.mjs'

const TIMEOUT_MS = 180_000
const folder = fileURLToPath(new URL('guides/tried/native', import.meta.url))
const packages = fileURLToPath(new URL('../packages', import.meta.url))
const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))

const readme = 'packages/opal-react-native/README.md'
const app = blocks.find(({ page, lang }) => page === readme && lang === 'tsx').text
const wrong = `import { OpalProvider, useOpal } from '@methodfi/opal-react-native'
export const provider = <OpalProvider frameOrigin={5} />
export const opened = () => useOpal().open({})
// Without the types of React Native, the compiler would accept these.
import { Modal } from 'react-native'
import { WebView } from 'react-native-webview'
export const modal = <Modal animationType="spin" />
export const view = <WebView source={5} />
`

/** Compiles one file, with the package, and returns the compiler's messages. */
function compile(name, text) {
  writeFileSync(join(folder, name), text)
  const compilerOptions = {
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'bundler',
    customConditions: ['source', 'react-native'],
    lib: ['ES2023'],
    types: [],
    jsx: 'react-jsx',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [name] }))
  return String(spawnSync(process.execPath, [tsc, '-p', '.'], { cwd: folder }).stdout)
}

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'node_modules/@causeway'), { recursive: true })
  // The copy resolves React Native as an app's copy of the package does.
  const installed = join(folder, 'node_modules/@methodfi/opal-react-native')
  for (const part of ['src', 'package.json'])
    cpSync(join(packages, 'opal-react-native', part), join(installed, part), {
      recursive: true,
      filter: path => !/native\.d\.ts$|\.test\.ts$|testing$/.test(path),
    })
  writeFileSync(
    join(folder, 'my-app.ts'),
    "export const fetchToken = async (): Promise<string> => ''\nexport const report = (_: string): void => undefined\n",
  )
  for (const name of ['elements', 'contract', 'opal-react'])
    symlinkSync(join(packages, name), join(folder, 'node_modules/@causeway', name))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the package for React Native fits the types of React Native and of its webview', { timeout: TIMEOUT_MS }, () =>
  expect(compile('app.tsx', app)).toBe(''),
)

test('the types of the package for React Native reject invalid use', { timeout: TIMEOUT_MS }, () =>
  expect(
    compile('wrong.tsx', wrong)
      .split('\n')
      .filter(line => line.startsWith('wrong.tsx'))
      .map(line => line.split(':')[0].replace(/,\d+\)$/, ')')),
  ).toEqual(['wrong.tsx(2)', 'wrong.tsx(3)', 'wrong.tsx(7)', 'wrong.tsx(8)']),
)
