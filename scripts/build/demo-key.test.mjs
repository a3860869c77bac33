import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { demoKey } from './demo-key.mjs'

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-demo-key-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('creates a key once, and returns it after a restart', () => {
  const key = demoKey(join(folder, 'data'))
  expect(key).toMatch(/^sk_[0-9a-f]{48}$/)
  expect(demoKey(join(folder, 'data'))).toBe(key)
})

it('uses the key of a team that pnpm serve created', () => {
  writeFileSync(join(folder, 'bootstrap.key'), 'sk_bootstrap\n')
  expect(demoKey(folder)).toBe('sk_bootstrap')
  expect(readdirSync(folder)).toEqual(['bootstrap.key'])
})
