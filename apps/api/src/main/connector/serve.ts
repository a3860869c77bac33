import { createProcessLog, stopOnSignals } from '../process.js'
import { checkConnectorDeployment } from './check.js'
import { readConnectorConfig } from './config.js'
import { runConnector } from './run.js'

/** Serves providers until the process is stopped, or only checks them. Throws if the start fails. */
export async function serveProviders(env: NodeJS.ProcessEnv, isCheck: boolean): Promise<void> {
  if (isCheck) {
    const { text, isOk } = await checkConnectorDeployment(env, process.cwd(), Date.now())
    process.stdout.write(text)
    if (!isOk) process.exitCode = 1
    return
  }
  const config = readConnectorConfig(env)
  const { stop, ...origins } = await runConnector(config, createProcessLog())
  stopOnSignals('connector', stop)
  // Printed last, so a program that reads this line can immediately stop the process.
  process.stdout.write(
    `${JSON.stringify({ ready: true, ...origins, providers: config.providers.map(({ provider }) => provider.name) })}\n`,
  )
}
