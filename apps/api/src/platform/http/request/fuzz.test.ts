import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorOf } from '../../../testing/contract/cases.js'
import { blank, endpoints, makePlaces } from '../../../testing/contract/endpoints.js'
import { places, valueAt } from '../../../testing/contract/input.js'
import { RUNS, SEED, spoiledBodies } from '../../../testing/contract/random.js'
import { testService } from '../../../testing/service.js'

const service = await testService({ chance: true })
const at = await makePlaces(service)

const names = endpoints(blank).map(({ name }, index) => ({ name, index }))

describe.each(names)('$name', ({ index }) => {
  it('responds to any body with success, or with a 4xx error that repeats no value', async () => {
    const { path, body, method = 'POST' } = endpoints(at)[index]!
    await fc.assert(
      fc.asyncProperty(spoiledBodies(body), async given => {
        const reply = await service.call(method, path, given)
        expect(reply.status).toBeLessThan(500)
        if (reply.status === 200) return
        expect(reply.status).toBeGreaterThanOrEqual(400)
        const { message, sub_type } = errorOf(reply.body)
        expect(message).toMatch(/^\S.+\.$/)
        expect(sub_type).toMatch(/^[A-Z_0-9]+$/)
        for (const place of places(given)) {
          const value = valueAt(given, place)
          if (typeof value === 'string' && value.startsWith('canary')) expect(message).not.toContain(value)
        }
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })
})
