import { existsSync } from 'node:fs'
import { sendPush } from '../../network/connectors/pushes.js'
import { openLiveStore, type Store } from '../../platform/db/store.js'
import { describeFault } from '../../platform/log.js'
import { ConfigError } from '../config.js'
import { type Finding, formatFindings } from '../operator/doctor.js'
import { type CheckResult, isFileStore, ok, problem, storePath } from '../operator/doctor-checks.js'
import { checkConfigured } from '../operator/provider-checks.js'
import { type ConnectorConfig, readConnectorConfig } from './config.js'

/** Checks a connector's settings, its store, its providers, and that the service accepts its pushes. */
export async function checkConnectorDeployment(
  env: NodeJS.ProcessEnv,
  folder: string,
  now: number,
): Promise<{ text: string; isOk: boolean }> {
  const findings: Finding[] = []
  for await (const finding of checkAll(env, folder, now)) findings.push(finding)
  return { text: formatFindings(findings), isOk: findings.every(({ level }) => level !== 'problem') }
}

async function* checkAll(env: NodeJS.ProcessEnv, folder: string, now: number): AsyncGenerator<Finding> {
  let config: ConnectorConfig
  try {
    config = readConnectorConfig(env, folder, { makeKey: false })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    yield { name: 'settings', ...problem(error.message) }
    return
  }
  yield { name: 'settings', ...ok('All variables are valid.') }
  yield { name: 'service', ...(await checkPushes(config)) }
  const store = await openStarted(config)
  if (store === null) {
    yield {
      name: 'store',
      ...problem('The store does not exist or has no tables. Start the connector once, or set DATABASE_URL.'),
    }
    return
  }
  try {
    for (const configured of config.providers) yield* checkConfigured(configured, config.environment, store, now)
  } finally {
    await store.close()
  }
}

/** Opens the store if the connector has started with it. */
async function openStarted(config: ConnectorConfig): Promise<Store | null> {
  if (isFileStore(config) && !existsSync(storePath(config))) return null
  const store = await openLiveStore(config.databaseUrl, { prepared: config.prepared })
  const isUsable = await store.reader
    .selectFrom('provider_states')
    .select('provider')
    .execute()
    .then(
      () => true,
      () => false,
    )
  if (isUsable) return store
  await store.close()
  return null
}

/** Sends a push about a team that does not exist. The service accepts its signature, and does nothing. */
async function checkPushes({ apiOrigin: url, keys }: ConnectorConfig): Promise<CheckResult> {
  const push = { id: 'check', type: 'payment.changed', team_id: '', payment_id: 'check' } as const
  try {
    const status = await sendPush({ url, keys, fetch, clock: Date.now }, push)
    if (status === 200) return ok('The service accepts pushes, and its key matches.')
    if (status === 401) return problem("The service rejects pushes. Set CONNECTOR_KEY to the service's key.")
    return problem(
      `The service answered a push with the status ${status}. Check API_ORIGIN, and that the service has CONNECTOR_URL.`,
    )
  } catch (error) {
    return problem(`The service cannot be reached (${describeFault(error).fault}). Check API_ORIGIN.`)
  }
}
