import { existsSync, statfsSync } from 'node:fs'
import { openLiveStore, type Store } from '../../platform/db/store.js'
import { describeFault } from '../../platform/log.js'
import { findSetting } from '../boot.js'
import { type Config, ConfigError, readConfig } from '../config.js'
import { type CheckResult, checks, isFileStore, ok, problem, storePath } from './doctor-checks.js'
import { checkProviders } from './provider-checks.js'

export interface Finding extends CheckResult {
  name: string
}

function measureFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Checks a deployment. If the settings or the store can't be read, skips the checks that depend on them. */
export async function checkDeployment(env: NodeJS.ProcessEnv, folder: string, now: number): Promise<Finding[]> {
  const findings: Finding[] = []
  let config: Config
  try {
    config = readConfig(env, folder, { makeKey: false })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [{ name: 'settings', ...problem(error.message) }]
  }
  findings.push({ name: 'settings', ...ok('All variables are valid.') })
  let store: Store
  try {
    if (isFileStore(config) && !existsSync(storePath(config)))
      throw new Error(`There is no store at ${storePath(config)}. Start the service once, or set DATABASE_URL.`)
    store = await openLiveStore(config.databaseUrl, { prepared: config.prepared, replica: config.replicaUrl })
  } catch (error) {
    return [...findings, { name: 'store', ...problem((error as Error).message) }]
  }
  try {
    const unreadable = await findSetting(store, 'environment').then(() => null, describeFault)
    if (unreadable !== null) {
      const message = `The store has no tables, or they cannot be read (${unreadable.fault}). ${isFileStore(config) ? 'Start the service once' : 'Run pnpm admin migrate'}, or set DATABASE_URL.`
      return [...findings, { name: 'store', ...problem(message) }]
    }
    for (const { name, run } of checks)
      try {
        findings.push({ name, ...(await run({ env, config, store, now, free: measureFreeBytes })) })
      } catch (error) {
        findings.push({
          name,
          ...problem(`This check could not run (${describeFault(error).fault}). See the lines above.`),
        })
      }
    try {
      for await (const finding of checkProviders(config, store, now)) findings.push(finding)
    } catch (error) {
      findings.push({ name: 'providers', ...problem(`This check could not run (${describeFault(error).fault}).`) })
    }
  } finally {
    await store.close()
  }
  return findings
}

const NAME_WIDTH = Math.max(...checks.map(({ name }) => name.length))

/** Formats the findings, one per line, with the level, name and result. */
export const formatFindings = (findings: readonly Finding[]): string =>
  findings.map(({ level, name, message }) => `${level.padEnd(7)}  ${name.padEnd(NAME_WIDTH)}  ${message}\n`).join('')
