/**
 * With `TEST_CONNECTOR=1` the api's tests run with the example connector, one process for all of them, that is slow, answers
 * twice and out of order, breaks answers and sometimes says nothing, but never so often that a call is given up: time stands
 * still in most tests, so that nothing would be tried again. Other flags: `TEST_CONNECTOR="--slow 50"`. How often
 * it did is written to the file that `CONNECTOR_MET` names.
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
