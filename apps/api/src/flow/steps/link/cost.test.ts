import { expect, it } from 'vitest'
import { HARBOR, LAKESIDE, linkService } from '../../../testing/linking.js'
import { counter } from '../../../testing/queries/counting.js'

/**
 * The maximum number of statements per call. `check` reads the provider between two transactions, stores what was linked
 * and prepares the next page. `disconnect` ends the updates of two accounts.
 */
const most = { look: 3, open: 9, check: 36, continue: 14, back: 8, disconnect: 25 }

/** The number of statements by which each linked institution, which the provider stores, may increase a check. */
const mostForAnother = 4

it('a call of the link step takes few statements, of which few depend on the number of institutions', async () => {
  const counting = counter()
  const { service, atLink, browse, again } = await linkService({ store: counting.store })
  const { person, entity } = await atLink()
  async function cost(call: () => Promise<unknown>): Promise<number> {
    await service.settle()
    counting.taken()
    await call()
    return counting.taken()
  }
  const costs: Record<string, number>[] = []
  for (const institution of [HARBOR, LAKESIDE]) {
    const look = await cost(() => person.look())
    const open = await cost(() => person.send({ action: 'open' }))
    await browse(person.data('link').url, institution)
    costs.push({ look, open, check: await cost(() => person.send({ action: 'check' })) })
  }
  const [first, second] = costs
  expect(second).toEqual({ ...first, check: expect.any(Number) })
  expect(second!['check']! - first!['check']!).toBeLessThanOrEqual(mostForAnother)
  const next = await cost(() => person.send({ action: 'continue' }))
  await person.wait()
  const back = await cost(() => person.send({ action: 'back' }))
  service.advance(1_000)
  await person.send({ action: 'continue' })
  await person.wait()
  await person.send({ action: 'select', accounts: person.data('selection').accounts.map(({ id }) => id) })
  const page = await again(entity, 'manage')
  const institution = page.data('manage').institutions[0]!.id
  const disconnect = await cost(() => page.send({ action: 'disconnect', institution }))
  const all: Record<string, number> = { ...first, continue: next, back, disconnect }
  expect(Object.entries(all).filter(([name, statements]) => statements > most[name as keyof typeof most])).toEqual([])
})
