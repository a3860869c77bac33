/**
 * Test helper that runs the example connector in a separate process, as an operator would. The helper imports only
 * types from this repository.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { FaultCounts } from '@causeway/connector/emulator/faults'

export const connectorKey = createHash('sha256').update('the connector of the tests').digest('base64')

export interface RunningConnector {
  url: string
  /**
   * Stops the process.
   * @returns the number of times that each fault occurred, or undefined if the process ended without reporting it
   */
  stop(): Promise<FaultCounts | undefined>
}

/** Starts `connector.ts` on a free port with these flags. */
export async function startConnector(...flags: string[]): Promise<RunningConnector> {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const script = fileURLToPath(new URL('../../main/connector.ts', import.meta.url))
  const child: ChildProcess = spawn(
    process.execPath,
    ['--conditions=source', '--import', tsx, script, '--port', '0', '--hurry', ...flags],
    { env: { ...process.env, CONNECTOR_KEY: connectorKey }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let met: FaultCounts | undefined
  const url = new Promise<string>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`The connector exited with code ${code}.`)))
    createInterface({ input: child.stdout! }).on('line', line => {
      const said = JSON.parse(line) as { url?: string; met?: FaultCounts }
      met = said.met
      if (said.url) resolve(said.url)
    })
  })
  const over = new Promise<void>(resolve => child.once('close', () => resolve()))
  return {
    url: await url,
    async stop() {
      child.kill()
      await over
      return met
    },
  }
}
