/**
 * Searches the data that a service left behind for secret or personal values in plain text: node scripts/canary.mjs
 * FOLDER `seen` in the folder has what went in and out, a JSON object on each line; `log` and `urls` what was written
 * and asked for; every other file is a store's. Prints each leak, and ends with 1 if there is one, or if nothing was
 * seen.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCanary } from '../apps/api/dist/testing/canary.js'

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
if (canary.size === 0) console.log('Nothing secret or personal was seen, so nothing was looked for.')
process.exitCode = leaks.length > 0 || canary.size === 0 ? 1 : 0
