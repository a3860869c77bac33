/**
 * Searches a service's data for secret or personal values in plain text. Usage: node scripts/test/canary.mjs FOLDER. In this
 * folder, `seen` contains the requests and responses (one JSON object per line), `log` contains the log, and `urls`
 * contains the requested URLs. All other files belong to a store. Prints each leak. The exit code is 1 if there is a
 * leak or if `seen` is empty.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCanary } from '../../apps/api/dist/testing/leaks/canary.js'

const folder = process.argv[2]
const canary = createCanary()
for (const line of readFileSync(join(folder, 'seen'), 'utf8').split('\n')) canary.read(line)
const leaks = readdirSync(folder)
  .filter(name => name !== 'seen')
  .flatMap(name => {
    const bytes = readFileSync(join(folder, name))
    return (name === 'log' ? canary.findInLog(bytes.toString()) : canary.find(bytes)).map(what => `${name}: ${what}`)
  })
for (const leak of leaks) console.log(leak)
if (canary.size === 0) console.log('No secret or personal value was seen, so there was nothing to search for.')
process.exitCode = leaks.length > 0 || canary.size === 0 ? 1 : 0
