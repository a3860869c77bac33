import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countConnection, createSlices, SLICE_MS } from './event-loop.js'
import { createAdmission } from './http/limits/admission.js'

/** Accepts a connection in every turn of the event loop, as happens while clients keep connecting. */
let accepting: NodeJS.Immediate
function accept(): void {
  countConnection()
  accepting = setImmediate(accept)
}
beforeEach(accept)
afterEach(() => clearImmediate(accepting))

describe('while every turn of the event loop accepts a connection', () => {
  it('work gets a slice that ends on time', async () => {
    let now = 0
    const slices = createSlices(() => now)
    expect(slices.hasTime()).toBe(false)
    await slices.next()
    expect(slices.hasTime()).toBe(true)
    now = SLICE_MS
    expect(slices.hasTime()).toBe(false)
  })

  it('waiting requests are admitted', async () => {
    const admission = createAdmission({ slots: 2, slotsPerTeam: 2, waiting: { team: 10, all: 10 } })
    const run = async () => (await admission.enter('team')).end()
    await Promise.all([run(), run(), run(), run()])
    expect(admission.counts()).toEqual({ running: 0, waiting: 0 })
  })
})
