/**
 * With `TEST_CONNECTOR=1`, the API tests run against the example connector, with one connector process for all tests.
 * The connector responds slowly and out of order, processes some calls twice, sends broken responses, and sometimes
 * doesn't respond. Faults are rare enough that the service never gives up on a call. A failed job would never be
 * retried, because most tests don't advance the clock. To set other flags, use `TEST_CONNECTOR="--slow 50"`. The setup
 * writes the number of faults to the file named in `CONNECTOR_MET`.
 */
import { writeFileSync } from 'node:fs'
import { startConnector } from './connector-process.js'

const troubles = ['--slow', '20', '--twice', '0.03', '--silent', '0.03', '--broken', '0.02', '--row', '2']

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  const asked = process.env['TEST_CONNECTOR']
  if (!asked) return undefined
  const connector = await startConnector(...(asked === '1' ? troubles : asked.split(' ')))
  process.env['TEST_CONNECTOR_URL'] = connector.url
  return async () => {
    const met = await connector.stop()
    const told = process.env['CONNECTOR_MET']
    if (told && met) writeFileSync(told, JSON.stringify(met))
  }
}
