/**
 * With `TEST_CONNECTOR=1`, the API tests run against the example connector, with one connector process for all tests.
 * The connector is slow, responds twice and out of order, sends broken responses, and sometimes doesn't respond. These
 * faults are never so frequent that the service gives up on a call. The clock doesn't advance in most tests, so a
 * failed job would not be retried. To set other flags, use `TEST_CONNECTOR="--slow 50"`. The number of faults is
 * written to the file named in `CONNECTOR_MET`.
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
