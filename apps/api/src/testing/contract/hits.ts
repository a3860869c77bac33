/** Test helper that records the endpoints that each test file calls successfully, if `HITS_DIR` is set. */
import { appendFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect } from 'vitest'

const folder = process.env['HITS_DIR']
const noted = new Set<string>()

/** @param endpoint such as `GET /entities/:ent_id` */
export function noteHit(endpoint: string): void {
  const test = expect.getState().testPath?.split(`${sep}apps${sep}api${sep}src${sep}`)[1]
  // A test that calls all endpoints doesn't count as a test of any single endpoint.
  if (!folder || !test || /fuzz|^openapi\/(?!page)/.test(test)) return
  const line = `${endpoint}\t${test.split(sep).join('/')}\n`
  if (noted.has(line)) return
  noted.add(line)
  appendFileSync(join(folder, `${process.pid}.txt`), line)
}
