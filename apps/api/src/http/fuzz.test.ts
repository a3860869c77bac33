import type { Step } from '@causeway/contract/session'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorOf } from '../testing/cases.js'
import { endpoints, type Places } from '../testing/endpoints.js'
import { confirmed, frameCall, LOAN, Person, someone, transferToken } from '../testing/frame.js'
import { places, replaced, valueAt } from '../testing/input.js'
import { type TestService, testService } from '../testing/service.js'

/** Bodies for each endpoint; the full measure is 2,000. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 150)
const SEED = 20_260_302

let service: TestService
let at: Places
beforeAll(async () => {
  service = await testService()
  const { session, accounts, entity } = await confirmed(service, '+15125550100')
  const listed = await service.call('GET', `/accounts?holder_id=${entity}&liability.mch_id=mch_301761`)
  const fresh = await someone(service, '+15125550101')
  at = { entity: fresh, account: accounts[0]!, session, needs: (listed.body['data'] as { id: string }[])[0]!.id }
})
afterAll(() => service.stop())

const canary = fc.string({ minLength: 3, maxLength: 20, unit: 'grapheme' }).map(text => `canary${text}`)
const values = fc.oneof(
  canary,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('', ' ', '\u0000', '\ud800', 'x'.repeat(5_000), '0', 'null', '-1', '1e9', '__proto__', "' or 1=1 --"),
  fc.constantFrom(0, -0, -1, 1, 99, 100.5, 1e21, -1e-9, 2 ** 53, Number.MAX_VALUE, 100_000_001),
  fc.constantFrom(null, true, [], {}, [[]], [null], { constructor: { name: 1 } }, ['', '']),
)

/** A good body with one to three places changed, left out, or doubled under another name. */
const spoilt = (good: Record<string, unknown>) =>
  fc
    .array(fc.record({ place: fc.nat(), value: values, how: fc.constantFrom('set', 'set', 'set', 'drop', 'more') }), {
      minLength: 1,
      maxLength: 3,
    })
    .map(changes => {
      let body = good
      for (const { place, value, how } of changes) {
        const known = places(body)
        const at = known[place % Math.max(1, known.length)]
        if (at === undefined) break
        if (how === 'more') body = { ...body, [`extra${place}`]: value }
        else body = replaced(body, at, how === 'drop' ? undefined : value)
      }
      return body
    })

const blank: Places = { entity: '', account: '', session: '', needs: '' }
const names = endpoints(blank).map(({ name }, index) => ({ name, index }))

describe.each(names)('$name', ({ index }) => {
  it('answers any body with success or a 4xx that is a sentence and repeats no value', async () => {
    const { path, body, method = 'POST' } = endpoints(at)[index]!
    await fc.assert(
      fc.asyncProperty(spoilt(body), async given => {
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

const chooseAll = async (person: Person) => {
  await person.arriveAtAccounts()
  const open = person.data('selection').accounts.filter(account => account.status !== 'ineligible')
  await person.send({ action: 'select', accounts: open.map(account => account.id) })
}
const steps: {
  step: Step
  phone: string
  reach: (person: Person) => Promise<unknown>
  good: Record<string, unknown>
}[] = [
  {
    step: 'consent',
    phone: '+15125550101',
    reach: async () => {},
    good: { action: 'accept', documents: [{ id: 'esign', version: '2026-11-01' }], locale: 'en' },
  },
  {
    step: 'phone',
    phone: '+15125550101',
    reach: person => person.consent(),
    good: { action: 'send', phone: '+15125550101' },
  },
  {
    step: 'code',
    phone: '+15125550101',
    reach: async person => {
      await person.consent()
      await person.send({ action: 'send' })
    },
    good: { action: 'verify', code: '000000' },
  },
  {
    step: 'details',
    phone: '+15125550103',
    reach: person => person.arriveAtAccounts(),
    good: { action: 'submit', dob: '1980-05-05', line1: '1 Elm', city: 'A', state: 'TX', zip: '78705', ssn_4: '0000' },
  },
  {
    step: 'questions',
    phone: '+15125550104',
    reach: person => person.arriveAtAccounts(),
    good: { action: 'answer', answers: [{ question_id: 'q', answer_id: 'a' }] },
  },
  {
    step: 'selection',
    phone: '+15125550101',
    reach: person => person.arriveAtAccounts(),
    good: { action: 'select', accounts: ['acc_1', 'acc_2'] },
  },
  {
    step: 'number',
    phone: '+15125550108',
    reach: chooseAll,
    good: { action: 'submit', number: '4000000000028045' },
  },
  {
    step: 'allocation',
    phone: '+15125550101',
    reach: chooseAll,
    good: { action: 'review', allocations: { acc_1: 100 } },
  },
]

describe("the frame's calls", () => {
  it('take any body at redemption without a fault', async () => {
    const good = {
      token: `pk_elem_${'a'.repeat(49)}`,
      exchange_id: 'e'.repeat(22),
      origin: 'http://localhost:1',
      mode: null,
    }
    await fc.assert(
      fc.asyncProperty(spoilt(good), async given => {
        const { status, body } = await frameCall(service, 'POST', '/s/redeem', given)
        expect([400, 403]).toContain(status)
        expect(body.error?.message).toMatch(/^\S.+\.$/)
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })

  it.each(steps)('take any input at $step without a fault', async ({ step, phone, reach, good }) => {
    await service.store.write(tx => tx.deleteFrom('code_sends').execute())
    const { element_token } = await transferToken(service, await someone(service, phone), LOAN)
    const person = await Person.arrive(service, element_token)
    await reach(person)
    expect(person.view.step).toBe(step)
    const back = await rewinder(person.view)
    await fc.assert(
      fc.asyncProperty(spoilt(good), async input => {
        await back()
        await person.look()
        const { status, body } = await person.send(input, step)
        expect([200, 400]).toContain(status)
        expect(JSON.stringify([body.errors, body.error])).not.toContain('canary')
        expect(body.error?.message ?? 'Fine.').toMatch(/^\S.+\.$/)
      }),
      { seed: SEED, numRuns: Math.min(RUNS, 500) },
    )
  })
})

/** Puts a session, its person and their verifications back where they are now. */
async function rewinder({ session_id, entity_id }: { session_id: string; entity_id: string }) {
  const { reader } = service.store
  const session = await reader.selectFrom('sessions').selectAll().where('id', '=', session_id).executeTakeFirstOrThrow()
  const entity = await reader.selectFrom('entities').selectAll().where('id', '=', entity_id).executeTakeFirstOrThrow()
  const records = await reader.selectFrom('records').selectAll().where('holder_id', '=', entity_id).execute()
  return () =>
    service.store.write(async tx => {
      const { revision: _, ...kept } = session
      await tx.updateTable('sessions').set(kept).where('id', '=', session_id).execute()
      await tx.updateTable('entities').set(entity).where('id', '=', entity_id).execute()
      for (const record of records) await tx.updateTable('records').set(record).where('id', '=', record.id).execute()
      await tx.deleteFrom('code_sends').execute()
    })
}
