import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Application, ApplicationStore } from './applications.js'

/**
 * Stores applications in a JSON file that only this user can read.
 * @param funding the id of the lender's funding account. Applications from before the service got a new database have
 * another one, and are ignored, because the service doesn't know their people.
 */
export function createFileStore(file: string, funding: string): ApplicationStore {
  return {
    load() {
      if (!existsSync(file)) return []
      try {
        const stored = JSON.parse(readFileSync(file, 'utf8')) as { funding: string; applications: Application[] }
        return stored.funding === funding ? stored.applications : []
      } catch {
        console.error(`${file} is not valid JSON, so the demo starts without applications.`)
        return []
      }
    },
    // A crash while writing leaves the previous file.
    save(applications) {
      writeFileSync(`${file}.part`, JSON.stringify({ funding, applications }), { mode: 0o600 })
      renameSync(`${file}.part`, file)
    },
  }
}
