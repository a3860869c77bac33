import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'

/** The time limit for retrying a claim, in ms. Claims made at the same time can briefly block one another. */
const LOCK_TIMEOUT_MS = 100
/** SQLite's code for a file that another connection has locked. */
const SQLITE_BUSY_CODE = 5

/**
 * Claims a SQLite file for this process with an exclusive lock on a small file beside it. The operating system releases
 * the lock when the process ends, even if it crashes. The file that holds the pid is used only for the error message.
 * @param timeoutMs the maximum time to wait for another claim to be released, in ms, before throwing
 * @returns a function that releases the claim
 */
export function lockFile(path: string, timeoutMs = LOCK_TIMEOUT_MS): () => void {
  mkdirSync(dirname(path), { recursive: true })
  let claim: DatabaseSyncInstance | undefined
  try {
    claim = new DatabaseSync(`${path}.lock`, { timeout: timeoutMs })
    claim.exec('begin exclusive')
  } catch (error) {
    claim?.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY_CODE)
      throw new Error(`${path}.lock cannot be written: ${(error as Error).message}`)
    throw new Error(
      `The store ${path} is in use by process ${readOwner(path)}. Stop that process first, or set DATABASE_URL to another file. Several processes can share a PostgreSQL database.`,
    )
  }
  writeFileSync(`${path}.pid`, String(process.pid), { mode: 0o600 })
  const lock = claim
  return () => lock.close()
}

function readOwner(path: string): string {
  try {
    return readFileSync(`${path}.pid`, 'utf8')
  } catch {
    return 'unknown'
  }
}
