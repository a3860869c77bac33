import { describe, expect, it } from 'vitest'
import { rejectionOf, speaking, timestamp } from '../../testing/contract/cases.js'
import { confirmed, fundingAccount, LOAN, Person, type transferToken } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

interface Session {
  id: string
  mode: string
  bt: {
    allocations: Record<string, number>
    payout_status: string
    payment_ids: Record<string, string | null>
    payment_errors?: Record<string, { sub_type: string }>
    released_at: string | null
    completed: boolean
  }
}

const service = await testService()
const source = await fundingAccount(service)

const release = (session: string, from: string | null = source, more: Record<string, unknown> = {}, on = service) =>
  on.call('POST', `/opal/sessions/${session}`, {
    action: 'release_payments',
    ...(from === null ? {} : { data: { source: from } }),
    ...more,
  })
const dataOf = (reply: { body: never }) => reply.body['data'] as Session
const shown = async (session: string) => dataOf(await service.call('GET', `/opal/sessions/${session}`))
const payments = async () => (await service.store.reader.selectFrom('payments').selectAll().execute()).length

describe.each(speaking)('release, $name', ({ mount, headers }) => {
  it('4.2.11 the response contains success, data and message on both mounts, and is never wrapped twice', async () => {
    const { session, allocations } = await confirmed(service, '+15125550101')
    const reply = await service.call(
      'POST',
      `${mount}/opal/sessions/${session}`,
      { action: 'release_payments', data: { source } },
      headers,
    )
    const accounts = Object.keys(allocations).filter(id => allocations[id]! > 0)
    expect(reply.body).toEqual({
      success: true,
      data: {
        id: session,
        mode: 'balance_transfer',
        entity_id: expect.stringMatching(/^ent_/),
        step: 'done',
        bt: {
          loan_amount: 500_000,
          minimum_payment: 100,
          maximum_payment: 500_000,
          residual_amount_max: 500_000,
          allocations: Object.fromEntries(accounts.map(id => [id, allocations[id]])),
          payout_status: 'released',
          payment_ids: Object.fromEntries(accounts.map(id => [id, expect.stringMatching(/^pmt_\w{13}$/)])),
          released_at: expect.stringMatching(timestamp),
          completed: true,
        },
        created_at: expect.stringMatching(timestamp),
        updated_at: expect.stringMatching(timestamp),
      },
      message: null,
    })
    const asked = await service.call('GET', `${mount}/opal/sessions/${session}`, undefined, headers)
    expect(asked.body).toEqual(reply.body)
  })
})

describe('release', () => {
  it('4.2.5 makes one payment to each allocated account, for its amount, from the source, with its own event', async () => {
    const { session, accounts } = await confirmed(service, '+15125550101', LOAN, [100_000, 50_000, 0, 25_000])
    const { bt } = dataOf(await release(session))
    expect(Object.keys(bt.payment_ids)).toHaveLength(3)
    for (const [account, amount] of [
      [accounts[0], 100_000],
      [accounts[1], 50_000],
      [accounts[3], 25_000],
    ] as const) {
      const payment = await service.call('GET', `/payments/${bt.payment_ids[account!]}`)
      expect(payment.body).toMatchObject({ source, destination: account, amount, status: 'pending' })
      const events = await service.store.reader
        .selectFrom('events')
        .select('type')
        .where('resource_id', '=', bt.payment_ids[account!]!)
        .execute()
      expect(events.map(event => event.type)).toEqual(['payment.create'])
    }
    expect(bt.payment_ids[accounts[2]!]).toBeUndefined()
  })

  it('4.2.5 a rejected payment is null, with its reason beside it; the others are sent', async () => {
    const { session, accounts } = await confirmed(service, '+15125550111', LOAN, [40_000, 30_000])
    const { bt } = dataOf(await release(session))
    const [refused, paid] = bt.payment_ids[accounts[0]!] === null ? [0, 1] : [1, 0]
    expect(bt).toMatchObject({
      payout_status: 'released',
      payment_ids: { [accounts[paid]!]: expect.stringMatching(/^pmt_/), [accounts[refused]!]: null },
      payment_errors: {
        [accounts[refused]!]: { type: 'INVALID_REQUEST', code: 400, sub_type: 'PAYMENT_REFUSED_BY_RAIL' },
      },
    })
    expect(Object.keys(bt.payment_errors!)).toEqual([accounts[refused]])
    const told = await service.call('GET', `/events?resource_id=${session}&type=opal_session.update`)
    const { payout_status, payment_ids, payment_errors } = bt
    expect(told.body['data'][0]['diff']).toMatchObject({
      before: { bt: { payout_status: 'pending_release' } },
      after: { bt: { payout_status, payment_ids, payment_errors } },
    })
  })

  it('4.2.5 a limit reached between two payments rejects only the rest', async () => {
    const limited = await fundingAccount(service, '1000000003')
    const { session, accounts } = await confirmed(service, '+15125550101', LOAN, [100_001, 100_000, 100])
    const { bt } = dataOf(await release(session, limited))
    expect(bt.payment_errors).toMatchObject({ [accounts[0]!]: { sub_type: 'MAX_AMOUNT_EXCEEDED' } })
    expect(Object.values(bt.payment_ids).filter(id => id === null)).toHaveLength(1)
  })

  it('the person sees a later payment for the rest, if it names the session and has the right amount', async () => {
    const limited = await fundingAccount(service, '1000000003')
    const { person, session, accounts } = await confirmed(service, '+15125550101', LOAN, [100_001, 100_000])
    await release(session, limited)
    const [rest, paid] = accounts as [string, string]
    const seen = async () => {
      await person.look()
      return person.data('done').payments
    }
    const pay = async (amount: number, metadata?: Record<string, string>) => {
      const body = { amount, source, destination: rest, description: 'Rest', metadata }
      const { status, body: payment } = await service.call('POST', '/payments', body)
      expect(status).toBe(200)
      return payment['id'] as string
    }
    expect(await seen()).toEqual({ [rest]: null, [paid]: 'pending' })
    await pay(100_001)
    await pay(100_001, { session_id: 'osess_another' })
    await pay(100_000, { session_id: session })
    expect(await seen()).toEqual({ [rest]: null, [paid]: 'pending' })
    const made = await pay(100_001, { session_id: session })
    expect(await seen()).toEqual({ [rest]: 'pending', [paid]: 'pending' })
    for (const status of ['processing', 'sent', 'posted'])
      await service.call('POST', `/simulate/payments/${made}`, { status })
    expect(await seen()).toEqual({ [rest]: 'posted', [paid]: 'pending' })
    // The payment that arrived counts; a later one that was canceled does not.
    const canceled = await pay(100_001, { session_id: session })
    await service.call('DELETE', `/payments/${canceled}`)
    expect(await seen()).toEqual({ [rest]: 'posted', [paid]: 'pending' })
  })

  it('a session is released even if every payment is rejected', async () => {
    const refusing = await fundingAccount(service, '1000000002')
    const { session } = await confirmed(service, '+15125550110', LOAN, [10_000, 20_000])
    const { bt } = dataOf(await release(session, refusing))
    expect([bt.payout_status, Object.values(bt.payment_ids)]).toEqual(['released', [null, null]])
    expect(Object.keys(bt.payment_errors!)).toHaveLength(2)
  })

  // kills: release-pays-once
  it('4.2.6 releasing a released session returns it unchanged, regardless of the source, and pays nothing', async () => {
    const { session } = await confirmed(service, '+15125550101')
    const first = await release(session)
    const before = await payments()
    service.advance(60_000)
    for (const from of [source, null, 'acc_unknown', 'not an id'])
      expect((await release(session, from)).text).toBe(first.text)
    expect(await payments()).toBe(before)
  })

  // kills on PostgreSQL: rows-are-locked
  it('4.2.6 50 simultaneous releases make one set of payments and return identical responses', async () => {
    const other = service.store.engine === 'postgres' ? await service.again() : service
    const { session, allocations } = await confirmed(service, '+15125550101')
    const before = await payments()
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => release(session, source, {}, index % 2 ? other : service)),
    )
    expect(new Set(replies.map(reply => `${reply.status} ${reply.text}`)).size).toBe(1)
    expect(replies[0]!.status).toBe(200)
    expect((await payments()) - before).toBe(Object.values(allocations).filter(amount => amount > 0).length)
  })

  it("4.2.7 the payments carry the team's description, which the request can't set", async () => {
    const { session } = await confirmed(service, '+15125550110')
    const reply = await release(session, source, { data: { source, description: 'Other' }, description: 'Other' })
    for (const id of Object.values(dataOf(reply).bt.payment_ids))
      expect((await service.call('GET', `/payments/${id}`)).body).toMatchObject({ description: 'Northwind' })
  })

  it('a rejection is stored under its idempotency key; after the fix, a new key is required', async () => {
    const { session } = await confirmed(service, '+15125550110')
    const keyed = (key: string, from: string | null) =>
      service.call(
        'POST',
        `/opal/sessions/${session}`,
        { action: 'release_payments', ...(from ? { data: { source: from } } : {}) },
        { 'idempotency-key': key },
      )
    const refused = await keyed('release-1', null)
    expect(rejectionOf(refused)).toBe('BT_MISSING_SOURCE')
    expect((await keyed('release-1', source)).text).toBe(refused.text)
    const done = await keyed('release-2', source)
    expect(dataOf(done).bt.payout_status).toBe('released')
    expect((await keyed('release-2', null)).text).toBe(done.text)
  })

  it('a person who is still on the page sees that it is released, and can no longer change anything', async () => {
    const { session, person } = await confirmed(service, '+15125550110')
    await release(session)
    await person.look()
    expect(person.data('done')).toMatchObject({ payout_status: 'released', editable: false })
    expect(Object.values(person.data('done').payments)).toEqual(['pending', 'pending'])
    const { status, body } = await person.send({ action: 'edit' })
    expect([status, body.errors?.[0]?.code]).toEqual([200, 'changed'])
  })

  it('a process that crashes during a release leaves no payments, and the next release makes them all', async () => {
    for (const point of ['release.locked', 'release.payment', 'release.saved']) {
      const { session } = await confirmed(service, '+15125550110')
      const before = await payments()
      const dying = await service.again({
        reach: at => {
          if (at === point) throw new Error('killed')
        },
      })
      expect((await release(session, source, {}, dying)).status).toBe(500)
      expect([point, await payments(), (await shown(session)).bt.payout_status]).toEqual([
        point,
        before,
        'pending_release',
      ])
      expect(dataOf(await release(session)).bt.payout_status).toBe('released')
      expect(await payments()).toBe(before + 2)
    }
  })
})

describe('until release', () => {
  it('a counter-offer sends a session change event', async () => {
    const { session } = await confirmed(service, '+15125550110', { loan_amount: 300_000 }, [200_000, 100_000])
    const terms = { loan_amount: 400_000, maximum_payment: 300_000 }
    await service.call('POST', '/elements/token', {
      type: 'balance_transfer',
      session_id: session,
      balance_transfer: terms,
    })
    const told = await service.call('GET', `/events?resource_id=${session}&type=opal_session.update`)
    expect(told.body['data'][0]['diff']).toMatchObject({
      before: { bt: { loan_amount: 300_000 } },
      after: { bt: { loan_amount: 400_000, completed: true } },
    })
  })

  it('a counter-offer keeps the allocations; if they no longer fit, the release is rejected', async () => {
    const { session, allocations } = await confirmed(
      service,
      '+15125550110',
      { loan_amount: 300_000 },
      [200_000, 100_000],
    )
    const offer = (terms: Record<string, unknown>) =>
      service.call('POST', '/elements/token', {
        type: 'balance_transfer',
        session_id: session,
        balance_transfer: terms,
      })
    const refused = async (terms: Record<string, unknown>) => {
      await offer(terms)
      expect((await shown(session)).bt).toMatchObject({
        allocations,
        completed: true,
        payout_status: 'pending_release',
      })
      return rejectionOf(await release(session))
    }
    expect(await refused({ loan_amount: 250_000 })).toBe('BT_ALLOCATIONS_EXCEED_LOAN')
    expect(await refused({ loan_amount: 300_000, maximum_payment: 150_000 })).toBe('BT_AMOUNT_OUT_OF_BOUNDS')
    expect(await refused({ loan_amount: 300_000, minimum_payment: 150_000 })).toBe('BT_AMOUNT_OUT_OF_BOUNDS')
    expect(await refused({ loan_amount: 400_000, residual_amount_max: 99_999 })).toBe('BT_RESIDUAL_EXCEEDS_MAX')
    await offer({ loan_amount: 400_000, residual_amount_max: 100_000 })
    expect(dataOf(await release(session)).bt.payout_status).toBe('released')
    expect(rejectionOf(await offer({ loan_amount: 900_000 }))).toBe('INVALID_STATUS')
    expect((await shown(session)).bt).toMatchObject({ loan_amount: 400_000 })
  })

  it('a new token for the session lets the person change the allocations', async () => {
    const { session, entity, accounts } = await confirmed(service, '+15125550110', LOAN, [200_000, 100_000])
    const { element_token } = await transferTokenFor(session)
    const person = await Person.arrive(service, element_token)
    expect([person.view.entity_id, person.data('done').editable]).toEqual([entity, true])
    await person.send({ action: 'edit' })
    expect(person.data('allocation').allocations).toEqual({ [accounts[0]!]: 200_000, [accounts[1]!]: 100_000 })
    await person.send({ action: 'review', allocations: { [accounts[0]!]: 150_000 } })
    expect((await shown(session)).bt.allocations).toEqual({ [accounts[0]!]: 200_000, [accounts[1]!]: 100_000 })
    await person.send({ action: 'confirm' })
    const { bt } = dataOf(await release(session))
    expect(bt.allocations).toEqual({ [accounts[0]!]: 150_000 })
  })

  it('the limits are inclusive: exactly maximum_payment, loan_amount and residual_amount_max are accepted', async () => {
    const terms = {
      loan_amount: 1_000_000,
      maximum_payment: 250_000,
      minimum_payment: 200_000,
      residual_amount_max: 350_000,
    }
    const { session } = await confirmed(service, '+15125550101', terms, [250_000, 200_000, 200_000])
    expect(dataOf(await release(session)).bt.payout_status).toBe('released')
    const whole = await confirmed(
      service,
      '+15125550101',
      { loan_amount: 300_000, residual_amount_max: 0 },
      [200_000, 100_000],
    )
    expect(dataOf(await release(whole.session)).bt.payout_status).toBe('released')
  })
})

async function transferTokenFor(session: string) {
  const made = await service.call('POST', '/elements/token', { type: 'balance_transfer', session_id: session })
  return made.body as Awaited<ReturnType<typeof transferToken>>
}
