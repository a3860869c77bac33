import { expect, it } from 'vitest'
import { createPlaidWorld, person, RETURN_URL } from '../testing/plaid.js'
import { plaid } from './provider.js'
import type { Context } from './settings.js'

class Crash extends Error {}

/** Ends the process at one step of a call: before the step has an effect, or after it. */
function crashAt(context: Context, step: number, when: 'before' | 'after') {
  let steps = 0
  const wrap =
    <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const isLast = steps++ === step
      if (isLast && when === 'before') throw new Crash()
      const result = await run(...args)
      if (isLast) throw new Crash()
      return result
    }
  const { get, put, claim, delete: remove } = context.store
  return {
    steps: () => steps,
    context: {
      ...context,
      fetch: wrap(context.fetch),
      link: wrap(context.link),
      store: { get: wrap(get), put: wrap(put), claim: wrap(claim), delete: wrap(remove) },
    } as Context,
  }
}

const call = { request_id: 'r_crash', team_id: 'team', now: 0 }
const ends = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (reason: unknown) => reason,
  )

async function trial(run: (step: number, when: 'before' | 'after') => Promise<number>) {
  let steps = 0
  for (let step = 0; step <= steps; step++)
    for (const when of ['before', 'after'] as const) steps = Math.max(steps, await run(step, when))
  expect(steps).toBeGreaterThan(2)
}

it('a page that was interrupted is created, whatever step the process ended at', async () => {
  const question = { person, name: 'Ana Diaz', return_url: RETURN_URL }
  await trial(async (step, when) => {
    const { context, host } = createPlaidWorld({ isChecked: false })
    const crashing = crashAt(context, step, when)
    const error = await ends(plaid.provides['network/link'](crashing.context, { ...question, ...call }))
    expect(error === null || error instanceof Crash).toBe(true)
    const outcome = { ...call, question: { method: 'network/link', question } }
    const { known, answer } = (await host.exchange('outcome', outcome)) as { known: boolean; answer: unknown }
    const page = known ? answer : await host.exchange('network/link', { ...call, question })
    expect(page).toMatchObject({ status: 'ready' })
    expect([...host.links.values()]).toContainEqual({ kind: 'link', id: 'r_crash', team_id: 'team' })
    return crashing.steps()
  })
})

it('an institution is linked once or reported as failed, whatever step the process ended at', async () => {
  await trial(async (step, when) => {
    const { context, ask, openPage, browse, emulator } = createPlaidWorld({ isChecked: false })
    const { url, link_id } = await openPage()
    await browse(url, 'ins_900001')
    const crashing = crashAt(context, step, when)
    await ends(plaid.provides['network/linked'](crashing.context, { person, link_id, ...call }))
    const answer = await ask('network/linked', { person, link_id })
    const all = await ask('network/linked', { person })
    if (answer.status === 'left') {
      expect(answer).toEqual({ status: 'left', reason: 'failed' })
      expect(all).toEqual({ status: 'linked', institutions: [] })
    } else expect(answer).toMatchObject({ status: 'linked', institutions: [{ status: 'ok' }] })
    expect(emulator.items.size).toBe(1)
    return crashing.steps()
  })
})

it('an institution is disconnected at Plaid, whatever step the process ended at', async () => {
  await trial(async (step, when) => {
    const { context, linkAt, host, emulator, discover } = createPlaidWorld({ isChecked: false })
    await linkAt('ins_900001')
    const question = { person, institution: [...emulator.items.keys()][0]! }
    const crashing = crashAt(context, step, when)
    await ends(plaid.provides['network/unlink'](crashing.context, { ...question, ...call }))
    const outcome = { ...call, question: { method: 'network/unlink', question } }
    const { known } = (await host.exchange('outcome', outcome)) as { known: boolean }
    if (!known) await host.exchange('network/unlink', { ...call, question })
    expect(emulator.items.size).toBe(0)
    expect(await discover()).toEqual([])
    return crashing.steps()
  })
})
