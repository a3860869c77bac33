/**
 * Migrates one store per test run. Each test starts from a copy, which takes a few milliseconds. Migrating for each
 * test would take a hundred statements.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { randomText } from '../../platform/crypto/random.js'
import { openStore } from '../../platform/db/store.js'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The migrated store to copy: a file for SQLite, or a database name for PostgreSQL. */
    template: string
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = process.env['TEST_DATABASE_URL']
  if (!server) {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-template-'))
    const file = join(folder, 'template.db')
    await (await openStore(`file:${file}`)).close()
    provide('template', file)
    return async () => rmSync(folder, { recursive: true, force: true })
  }
  const name = `template_${randomText(12).toLowerCase()}`
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await (await openStore(Object.assign(new URL(server), { pathname: `/${name}` }).toString())).close()
  provide('template', name)
  return async () => {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  }
}
