import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the secret key that the service and the demo lender share. The key is stored, so the team is the same after a
 * restart. If `pnpm serve` has already created a team in this folder, returns that team's key.
 */
export function demoKey(folder) {
  const file = join(folder, 'demo.key')
  const known = [file, join(folder, 'bootstrap.key')].find(existsSync)
  if (known) return readFileSync(known, 'utf8').trim()
  mkdirSync(folder, { recursive: true })
  const key = `sk_${randomBytes(24).toString('hex')}`
  writeFileSync(file, `${key}\n`, { mode: 0o600 })
  return key
}
