import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { lockFile } from './lock.js'

/**
 * Writes a complete copy of a SQLite store to a new file, creating its folder if necessary. The service can use the
 * store during the backup.
 * @returns the path of the file
 */
export function backupStore(store: string, file: string): string {
  const target = resolve(file)
  if (existsSync(target)) throw new Error(`${target} already exists. Specify a new file.`)
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(store, { timeout: 5_000 })
  try {
    database.prepare('vacuum into ?').run(target)
  } finally {
    database.close()
  }
  chmodSync(target, 0o600)
  return target
}

/**
 * Replaces a SQLite store with a backup. The store must not be in use.
 * @param keyCheck the check value that the backup must contain; a backup made with a different encryption key is
 *   rejected before anything changes
 */
export function restoreStore(store: string, file: string, keyCheck: string): void {
  const source = resolve(file)
  if (!existsSync(source)) throw new Error(`${source} does not exist.`)
  const unlock = lockFile(store)
  try {
    if (readCheck(source) !== keyCheck)
      throw new Error(`${source} must be a complete backup made with this ENCRYPTION_KEY. Nothing was changed.`)
    copyFileSync(source, `${store}.restoring`)
    chmodSync(`${store}.restoring`, 0o600)
    for (const tail of ['-wal', '-shm']) rmSync(`${store}${tail}`, { force: true })
    renameSync(`${store}.restoring`, store)
  } finally {
    unlock()
  }
}

function readCheck(file: string): string | null {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const whole = database.prepare('pragma integrity_check').get() as { integrity_check: string }
    const row = database.prepare("select value from settings where name = 'key_check'").get() as
      | { value: string }
      | undefined
    return whole.integrity_check === 'ok' ? (row?.value ?? null) : null
  } catch {
    return null
  } finally {
    database.close()
  }
}
