/**
 * After a fault test, finds secret or personal values in plain text in a log or a store. See
 * apps/api/src/testing/leaks/canary.ts.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createCanary, dump } from '../../apps/api/dist/testing/leaks/canary.js'

/** Receives all data that is sent over HTTP. See http.mjs. */
export const canary = createCanary()

/** Returns the leaks as sentences, or an empty list. @param lines all the log lines of the fault test's services */
export async function leaks(store, lines) {
  const found = canary.findInLog(lines.join('\n')).map(what => `in a log line: ${what}`)
  for (const { table, text } of await dump(store.engine, store.query))
    found.push(...canary.find(text).map(what => `in table ${table}: ${what}`))
  for (const suffix of store.file ? ['', '-wal'] : [])
    if (existsSync(store.file + suffix))
      found.push(...canary.find(readFileSync(store.file + suffix)).map(what => `in the file${suffix}: ${what}`))
  return [...new Set(found)]
}
