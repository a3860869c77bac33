import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const script = fileURLToPath(new URL('provider-new.mjs', import.meta.url))
const registry = 'packages/providers/src/index.ts'
let root
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'causeway-provider-new-'))
  mkdirSync(join(root, 'packages/providers/src'), { recursive: true })
  cpSync(join(repository, registry), join(root, registry))
})
afterEach(() => rmSync(root, { recursive: true }))

const run = (...args) =>
  spawnSync(process.execPath, [script, ...args], {
    env: { ...process.env, CAUSEWAY_ROOT: root },
    encoding: 'utf8',
  })

it('writes a provider, and adds it to the registry in order', () => {
  expect(run('new', 'examplebank').status).toBe(0)
  const text = readFileSync(join(root, registry), 'utf8')
  expect(text).toMatch(/^import type \{ Provider \}.*\nimport \{ examplebank \}.*\nimport \{ increase \}/)
  expect(text).toMatch(/= \{ examplebank, increase, /)
  expect(existsSync(join(root, 'packages/providers/src/examplebank/emulator/emulator.ts'))).toBe(true)
  expect(run('new', 'examplebank').stderr).toContain('packages/providers/src/examplebank exists')
})

it.each([['Example Bank'], ['../bank'], ['']])('rejects the name %j', name => {
  expect(run('new', name)).toMatchObject({ status: 2, stderr: expect.stringContaining('NAME must be') })
})
