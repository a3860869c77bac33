import { documentVersions, type Step } from '@causeway/contract/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RUNS, SEED, spoiledBodies } from '../../testing/contract/random.js'
import { frameCall, LOAN, Person, someone, transferToken } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService({ chance: true })

const chooseAll = async (person: Person) => {
  await person.arriveAtAccounts()
  const open = person.data('selection').accounts.filter(account => account.status !== 'ineligible')
  await person.send({ action: 'select', accounts: open.map(account => account.id) })
}
/** Returns a token for verifying a bank account that has no proof yet. */
const bankToken = async (entity_id: string) => {
  const ach = { routing: '062103000', number: '1000000009', type: 'checking' }
  const account = await service.call('POST', '/accounts', { holder_id: entity_id, ach })
  const account_verification = { account_id: account.body['id'] }
  const made = await service.call('POST', '/opal/token', {
    mode: 'account_verification',
    entity_id,
    account_verification,
  })
  return made.body['data']['token'] as string
}
/** Returns a token for the person's own page. */
const ownToken = async (entity_id: string) =>
  (await service.call('POST', '/opal/token', { mode: 'manage', entity_id })).body['data']['token'] as string
const steps: {
  step: Step
  phone: string
  reach: (person: Person) => Promise<unknown>
  /** Creates the token. By default, creates a token for a loan. */
  token?: (entity: string) => Promise<string>
  good: Record<string, unknown>
}[] = [
  {
    step: 'consent',
    phone: '+15125550101',
    reach: async () => {},
    good: { action: 'accept', documents: [{ id: 'esign', version: documentVersions.esign[0] }], locale: 'en' },
  },
  {
    step: 'phone',
    phone: '+15125550101',
    reach: async person => {
      await person.consent()
      await person.letCodeExpire()
    },
    good: { action: 'send', phone: '+15125550101' },
  },
  {
    step: 'code',
    phone: '+15125550101',
    reach: person => person.consent(),
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
    step: 'deposits',
    phone: '+15125550101',
    token: bankToken,
    async reach(person) {
      await person.arriveAtAccounts()
      await person.send({ action: 'send' })
      await person.send({ action: 'enter' })
    },
    good: { action: 'submit', first: 1, second: 2 },
  },
  {
    step: 'allocation',
    phone: '+15125550101',
    reach: chooseAll,
    good: { action: 'review', allocations: { acc_1: 100 } },
  },
  {
    step: 'manage',
    phone: '+15125550101',
    token: ownToken,
    reach: person => person.arriveAtAccounts(),
    good: { action: 'withdraw', account: 'acc_1' },
  },
]

describe("the frame's calls", () => {
  it('accept any body at redemption without a server error', async () => {
    const good = {
      token: `pk_elem_${'a'.repeat(49)}`,
      exchange_id: 'e'.repeat(22),
      origin: 'http://localhost:1',
      mode: null,
    }
    await fc.assert(
      fc.asyncProperty(spoiledBodies(good), async given => {
        const { status, body } = await frameCall(service, 'POST', '/s/redeem', given)
        // 413: the fuzzed input made the body longer than the redemption limit.
        expect([400, 403, 413]).toContain(status)
        expect(body.error?.message).toMatch(/^\S.+\.$/)
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })

  it.each(steps)('accept any input at $step without a server error', async ({ step, phone, reach, token, good }) => {
    const entity = await someone(service, phone)
    const person = await Person.arrive(
      service,
      token ? await token(entity) : (await transferToken(service, entity, LOAN)).element_token,
    )
    await reach(person)
    expect(person.view.step).toBe(step)
    const back = await rewinder(person.view)
    await fc.assert(
      fc.asyncProperty(spoiledBodies(good), async input => {
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

/**
 * Saves the state of a session, its person and their verifications, and returns a function that restores that state.
 */
async function rewinder({ session_id, entity_id }: { session_id: string; entity_id: string }) {
  const { reader } = service.store
  const session = await reader.selectFrom('sessions').selectAll().where('id', '=', session_id).executeTakeFirstOrThrow()
  const entity = await reader.selectFrom('entities').selectAll().where('id', '=', entity_id).executeTakeFirstOrThrow()
  const accounts = await reader.selectFrom('accounts').select('id').where('holder_id', '=', entity_id).execute()
  const holders = [entity_id, ...accounts.map(({ id }) => id)]
  const records = await reader.selectFrom('records').selectAll().where('holder_id', 'in', holders).execute()
  return () =>
    service.store.write(async tx => {
      const { revision: _, ...kept } = session
      await tx.updateTable('sessions').set(kept).where('id', '=', session_id).execute()
      await tx.updateTable('entities').set(entity).where('id', '=', entity_id).execute()
      for (const record of records) await tx.updateTable('records').set(record).where('id', '=', record.id).execute()
      await tx.deleteFrom('counters').execute()
    })
}
