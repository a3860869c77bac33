import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Store } from '../types.js'
import { lockFile } from './lock-file.js'

/**
 * Writes a complete copy of a SQLite store to a new file, creating its folder if necessary. The service can use the
 * store during the backup. The file gets its name only when it is complete and on the disk, so a backup that was broken
 * off is never mistaken for one.
 * @returns the path of the file
 */
export function backupStore(store: string, file: string): string {
  const target = resolve(file)
  if (existsSync(target)) throw new Error(`${target} already exists. Specify a new file.`)
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const part = join(dirname(target), `.${basename(target)}.part`)
  try {
    // SQLite can write into an empty file, whose permissions then apply from the beginning.
    closeSync(openSync(part, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new Error(
      `${part} already exists. If no other backup is running, delete it: an earlier backup did not finish.`,
    )
  }
  try {
    const database = new DatabaseSync(store, { timeout: 5_000 })
    try {
      database.prepare('vacuum into ?').run(part)
    } finally {
      database.close()
    }
    sync(part)
    renameSync(part, target)
    sync(dirname(target))
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
  return target
}

/** Writes a file's or a folder's changes to the disk. */
function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Returns the reason that a file can't be a complete backup of a store, or null if there is none. Reads only a little of
 * the file: a drill checks all of it.
 */
export function incompleteBackup(store: Pick<Store, 'engine'>, file: string, keyCheck: string): string | null {
  if (store.engine === 'postgres') {
    const head = Buffer.alloc(5)
    const opened = openSync(file, 'r')
    try {
      readSync(opened, head)
    } finally {
      closeSync(opened)
    }
    return head.toString('latin1') === 'PGDMP' ? null : 'it is not a dump in the custom format'
  }
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      const read = (sql: string) => database.prepare(sql).get() as Record<string, unknown> | undefined
      const pages = Number(read('pragma page_count')?.['page_count'])
      const size = Number(read('pragma page_size')?.['page_size'])
      if (pages * size !== statSync(file).size) return 'its size differs from the size that it states'
      const row = read("select value from settings where name = 'key_check'")
      if (row?.['value'] !== keyCheck) return "it was made with another ENCRYPTION_KEY, or isn't complete"
      return null
    } finally {
      database.close()
    }
  } catch {
    return 'it cannot be read as a store'
  }
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
