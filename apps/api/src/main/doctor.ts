import { existsSync, statfsSync } from 'node:fs'
import { openBeside, type Store } from '../platform/db/store.js'
import { describeFault } from '../platform/log.js'
import { setting } from './boot.js'
import { type Config, ConfigError, readConfig } from './config.js'
import { checks, isFile, ok, pathOf, problem, type Said } from './doctor-checks.js'

export interface Finding extends Said {
  name: string
}

function freeOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Checks a deployment. If the settings or the store can't be read, skips the checks that depend on them. */
export async function examine(env: NodeJS.ProcessEnv, folder: string, now: number): Promise<Finding[]> {
  const found: Finding[] = []
  let config: Config
  try {
    config = readConfig(env, folder, { makeKey: false })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [{ name: 'settings', ...problem(error.message) }]
  }
  found.push({ name: 'settings', ...ok('All variables are valid.') })
  let store: Store
  try {
    if (isFile(config) && !existsSync(pathOf(config)))
      throw new Error(`There is no store at ${pathOf(config)}. Start the service once, or set DATABASE_URL.`)
    store = await openBeside(config.databaseUrl, { prepared: config.prepared, replica: config.replicaUrl })
  } catch (error) {
    return [...found, { name: 'store', ...problem((error as Error).message) }]
  }
  try {
    const unreadable = await setting(store, 'environment').then(() => null, describeFault)
    if (unreadable !== null) {
      const says = `The store has no tables, or they cannot be read (${unreadable.fault}). ${isFile(config) ? 'Start the service once' : 'Run pnpm admin migrate'}, or set DATABASE_URL.`
      return [...found, { name: 'store', ...problem(says) }]
    }
    for (const { name, run } of checks)
      try {
        found.push({ name, ...(await run({ env, config, store, now, free: freeOf })) })
      } catch (error) {
        found.push({
          name,
          ...problem(`This check could not run (${describeFault(error).fault}). See the lines above.`),
        })
      }
  } finally {
    await store.close()
  }
  return found
}

const WIDTH = Math.max(...checks.map(({ name }) => name.length))

/** Formats the findings, one per line, with the level, name and result. */
export const printed = (findings: readonly Finding[]): string =>
  findings.map(({ level, name, says }) => `${level.padEnd(7)}  ${name.padEnd(WIDTH)}  ${says}\n`).join('')
