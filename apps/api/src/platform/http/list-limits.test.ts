import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { MAX_CPU_MS, measureCpuMs } from '../../testing/cost.js'
import { parse } from './body.js'
import { overlongList } from './list-limits.js'

const item = z.object(Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`field${at}`, z.string()])))
const schema = z.object({
  list: z.array(item).max(10).optional(),
  block: z.object({ ids: z.array(z.string()).max(2) }),
})
const empty = (count: number) => Array.from({ length: count }, () => ({}))

describe('a list that is too long', () => {
  it('is rejected before its items are checked', async () => {
    expect(() => parse(schema, { list: empty(1_000) })).toThrow('list must have at most 10 items.')
    expect(() => parse(schema, { list: empty(10) })).toThrow('list[0].field0 is required')
    expect(() => parse(schema, { block: { ids: ['a', 'b', 'c'] } }, 'body')).toThrow(
      'body.block.ids must have at most 2 items.',
    )
    const huge = { list: empty(1_000_000) }
    expect(await measureCpuMs(() => overlongList(schema, huge))).toBeLessThan(MAX_CPU_MS)
  })

  it('has the message that the schema gives it', () => {
    const own = z.object({ list: z.array(z.string()).max(1, 'must be a list of one text') })
    expect(() => parse(own, { list: [1, 2] })).toThrow('list must be a list of one text.')
  })
})
