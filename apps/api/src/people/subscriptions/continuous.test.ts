import { OutsideError } from '@causeway/connector/ports/outside-error'
import { DAY_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { type TestService, testService } from '../../testing/service.js'

/** The sandbox person whose accounts change in every possible way without simulation calls. */
const WATCHED = '+15125550120'

let service: TestService

const clock = async (advance: string) => {
  await service.call('POST', '/simulate/clock', { advance })
  await service.settle()
}
const enroll = async (holder: string, name: string, payload?: unknown) => {
  const base = holder.startsWith('ent_') ? 'entities' : 'accounts'
  const made = await service.call('POST', `/${base}/${holder}/subscriptions`, { enroll: name, payload })
  expect([name, made.status]).toEqual([name, 200])
  return made.body['id'] as string
}

/** Starts a service that can't get changes from the network while `down` is set. */
async function unsteady() {
  const state = { down: false }
  service = await testService({
    ports: ports => ({
      ...ports,
      network: {
        ...ports.network,
        async changes(call) {
          if (state.down) throw new OutsideError('down')
          return ports.network.changes(call)
        },
      },
    }),
  })
  return state
}

/** Enrolls the watched person and their accounts in every subscription. */
async function everything() {
  const { entity, accounts } = await lender(service).debts(WATCHED)
  const [moving, replaced, closing] = accounts.map(account => account.id) as [string, string, string]
  for (const [account, cvv] of [
    [moving, '539'],
    [replaced, '878'],
  ] as const) {
    const path = `/accounts/${account}/verification_sessions`
    const session = await service.call('POST', path, { type: 'network' })
    await service.call('PUT', `${path}/${session.body['id']}`, { network: { cvv } })
  }
  await service.settle()
  for (const name of ['update', 'update.snapshot', 'transaction', 'card_brand']) await enroll(moving, name)
  for (const name of ['card_brand', 'update', 'update.snapshot']) await enroll(replaced, name)
  await service.call('POST', `/accounts/${replaced}/subscriptions`, { enroll: 'attribute' }, newest)
  for (const name of ['payment_instrument.card', 'payment_instrument.network_token'])
    await service.call('POST', `/accounts/${replaced}/subscriptions`, { enroll: name }, newest)
  await enroll(closing, 'update')
  await enroll(closing, 'update.snapshot')
  await enroll(entity, 'connect')
  await enroll(entity, 'credit_score')
  await enroll(entity, 'attribute', {
    attributes: { requested_attributes: ['credit_health_credit_card_usage', 'credit_health_total_accounts'] },
  })
  return { entity, moving, replaced, closing }
}
const newest = { 'service-version': '2026-03-30' }

type Kept = {
  id: string
  holder_id: string
  product: string
  status: string
  change: string | null
  created_at: number
}
/** Returns the records that subscriptions created, sorted by id. */
const kept = async (holder?: string): Promise<Kept[]> => {
  let query = service.store.reader
    .selectFrom('records')
    .select(['id', 'holder_id', 'product', 'status', 'change', 'created_at'])
    .where('subscription_id', 'is not', null)
  if (holder) query = query.where('holder_id', '=', holder)
  // Ignores the ids' prefixes, because only the part after them is ordered by time.
  return (await query.execute()).sort((one, other) =>
    one.id.split('_').at(-1)! < other.id.split('_').at(-1)! ? -1 : 1,
  )
}
const days = (rows: readonly Kept[]) =>
  rows.map(row => `${row.product} ${new Date(row.created_at).toISOString().slice(5, 10)}`)
const eventsOf = async (id: string) =>
  service.store.reader
    .selectFrom('events')
    .select(['type', 'created_at'])
    .where('resource_id', '=', id)
    .orderBy('id')
    .execute()
const said = async (id: string, about: RegExp) =>
  (await eventsOf(id))
    .filter(({ type }) => about.test(type))
    .map(({ type, created_at }) => `${type} ${new Date(created_at).toISOString().slice(5, 10)}`)

describe('moving the sandbox clock forward by forty days', () => {
  it('produces the changes of those days, in order and at the right times', async () => {
    service = await testService()
    const { entity, moving, replaced, closing } = await everything()
    await clock('P40D')
    expect(days((await kept(moving)).filter(row => row.product === 'update'))).toEqual([
      'update 03-05',
      'update 03-11',
      'update 03-12',
      'update 03-20',
      'update 03-26',
      'update 04-01',
      'update 04-05',
      'update 04-11',
    ])
    expect(await said(moving, /balance|limit/)).toEqual([
      'account.balance_increased 03-05',
      'account.credit_limit_increased 03-12',
      'account.balance_decreased 03-20',
      'account.credit_limit_decreased 03-26',
      'account.balance_increased 04-05',
    ])
    const list = await service.call('GET', `/accounts/${moving}/transactions`)
    const bought = list.body['data'] as { status: string; created_at: string; posted_at: string | null }[]
    expect(bought.length).toBeGreaterThan(8)
    expect(new Set(bought.map(({ status }) => status))).toEqual(
      new Set(['posted', 'voided', 'pending'].filter(status => bought.some(one => one.status === status))),
    )
    expect(bought.some(({ status }) => status === 'posted')).toBe(true)
    expect(bought.map(one => one.created_at)).toEqual(
      bought
        .map(one => one.created_at)
        .sort()
        .reverse(),
    )

    const cards = (await kept(replaced)).filter(
      row => row.product.startsWith('card') || row.product.startsWith('payment'),
    )
    expect(days(cards).sort()).toEqual([
      'card_brand 03-10',
      'card_brand 04-10',
      'payment_instrument.card 03-10',
      'payment_instrument.card 04-10',
      'payment_instrument.network_token 03-10',
      'payment_instrument.network_token 04-10',
    ])
    expect(await said(replaced, /number/)).toEqual(['account.number.update 03-10', 'account.number.update 04-10'])
    expect(await said(cards.find(row => row.product === 'card_brand')!.id, /./)).toEqual(
      ['create', 'update', 'available'].map(kind => `card_brand.${kind} 03-10`),
    )
    expect(days((await kept(replaced)).filter(row => row.product === 'attribute'))).toEqual(['attribute 04-01'])

    expect(await said(closing, /closed/)).toEqual(['account.closed 03-25'])
    const closed = await service.call('GET', `/accounts/${closing}`)
    expect(closed.body).toMatchObject({ status: 'closed', subscriptions: [] })
    expect((await kept(closing)).at(-1)!.created_at).toBeLessThan(Date.parse('2026-03-26'))

    expect(days(await kept(entity)).sort()).toEqual(['attribute 04-01', 'connect 03-15', 'credit_score 04-01'])
    const connect = (await kept(entity)).find(row => row.product === 'connect')!
    expect(await said(connect.id, /./)).toEqual(['create', 'update', 'available'].map(kind => `connect.${kind} 03-15`))
    const found = await service.call('GET', `/entities/${entity}/connect/${connect.id}`)
    const [opened] = found.body['accounts'] as string[]
    expect(await said(opened!, /opened/)).toEqual(['account.opened 03-15'])
  }, 60_000)

  it('has the same result day by day, in another process, with a flapping network, and with failing transactions', async () => {
    const trouble = { network: false, store: false }
    const told = async (pass: () => Promise<void>, at: { network?: true; store?: true } = {}) => {
      let asked = 0
      Object.assign(trouble, { network: false, store: false })
      service = await testService({
        // Rolls back an entire transaction, as if the process had ended before the commit.
        store: store => ({
          ...store,
          write: work =>
            store.write(async tx => {
              const result = await work(tx)
              if (trouble.store && asked++ % 5 === 4) throw new Error('cut short')
              return result
            }),
        }),
        ports: ports => ({
          ...ports,
          network: {
            ...ports.network,
            async changes(call) {
              if (trouble.network && asked++ % 3 === 1) throw new OutsideError('flapping')
              return ports.network.changes(call)
            },
          },
        }),
      })
      const { entity, moving, replaced, closing } = await everything()
      Object.assign(trouble, at)
      // `pass` may be interrupted too. An interrupted job waits for its next attempt, as it would after a real failure.
      await pass().catch(error => {
        if (!at.network && !at.store) throw error
      })
      for (let second = 0; second < 90; second++) {
        service.advance(1_000)
        await service.settle().catch(() => {})
      }
      Object.assign(trouble, { network: false, store: false })
      const holders = [entity, moving, replaced, closing]
      const rows = (await kept()).map(({ holder_id, product, status, change, created_at }) => [
        holders.indexOf(holder_id),
        product,
        status,
        change,
        created_at,
      ])
      return rows.map(row => row.join(' ')).sort()
    }
    const once = await told(() => clock('P40D'))
    const daily = await told(async () => {
      for (let day = 0; day < 40; day++) await clock('P1D')
    })
    const together = await told(async () => {
      const other = service.another()
      await Promise.all([clock('P40D'), other.deps.jobs.drain(service.team, 5_000)])
    })
    const flapping = await told(() => clock('P40D'), { network: true })
    const cut = await told(() => clock('P40D'), { store: true })
    expect(daily).toEqual(once)
    expect(together).toEqual(once)
    expect(flapping).toEqual(once)
    expect(cut).toEqual(once)
  }, 120_000)
})

describe('a subscription', () => {
  const updates = async (account: string) => (await kept(account)).filter(row => row.product === 'update')

  it('references its latest record', async () => {
    service = await testService()
    const [account] = (await lender(service).debts(WATCHED)).accounts
    const id = await enroll(account!.id, 'update')
    await clock('P4D')
    const [made] = await updates(account!.id)
    const shown = await service.call('GET', `/accounts/${account!.id}/subscriptions/${id}`)
    expect(shown.body['latest_request_id']).toBe(made!.id)
    expect(await said(id, /./)).toEqual(['subscription.create 03-02', 'subscription.update 03-05'])
    const seen = await service.call('GET', `/accounts/${account!.id}?expand[]=update`)
    expect(seen.body['update']).toMatchObject({ id: made!.id, source: 'direct', status: 'completed' })
    expect(seen.body['update']['data_as_of']).toBe('2026-03-05T07:00:00.000Z')
  })

  it('reports nothing from before it started, after it ended or after consent was withdrawn', async () => {
    service = await testService()
    const { entity, accounts } = await lender(service).debts(WATCHED)
    const [moving, replaced] = accounts.map(account => account.id) as [string, string]
    await clock('P10D')
    const id = await enroll(moving, 'update')
    await enroll(replaced, 'card_brand')
    await clock('P1D')
    expect(await updates(moving)).toEqual([])
    await clock('P8D')
    expect(days(await updates(moving))).toEqual(['update 03-20'])
    await service.call('DELETE', `/accounts/${moving}/subscriptions/${id}`)
    await clock('P20D')
    expect(await updates(moving)).toHaveLength(1)
    await enroll(moving, 'update')
    await clock('P3D')
    const before = (await kept()).length
    const gone = await service.call('POST', `/entities/${entity}/consent`, {
      type: 'withdraw',
      reason: 'entity_withdrew_consent',
    })
    expect(gone.status).toBe(200)
    await clock('P60D')
    expect(await kept()).toHaveLength(before)
    expect(
      await service.store.reader.selectFrom('jobs').selectAll().where('kind', '=', 'subscription.run').execute(),
    ).toEqual([])
  })

  it('survives several days without a network', async () => {
    const network = await unsteady()
    const [account] = (await lender(service).debts(WATCHED)).accounts
    await enroll(account!.id, 'update')
    await service.settle()
    network.down = true
    for (let hour = 0; hour < 100; hour++) {
      service.advance(DAY_MS / 24)
      await service.settle()
    }
    expect(await updates(account!.id)).toEqual([])
    network.down = false
    service.advance(DAY_MS / 12)
    await service.settle()
    expect((await updates(account!.id)).map(row => row.change)).toEqual(['update 2026-03-05 7'])
  })

  it('still points to a later requested record after receiving an earlier change late', async () => {
    const network = await unsteady()
    const [account] = (await lender(service).debts(WATCHED)).accounts
    const path = `/accounts/${account!.id}`
    await enroll(account!.id, 'update')
    network.down = true
    await service.call('POST', '/simulate/clock', { advance: 'P4D' })
    const asked = (await service.call('POST', `${path}/updates`)).body['id']
    network.down = false
    service.advance(DAY_MS / 12)
    await service.settle()
    expect((await updates(account!.id)).map(row => row.change)).toEqual(['update 2026-03-05 7'])
    const list = (await service.call('GET', `${path}/updates`)).body['data'] as { id: string }[]
    expect(list[0]!.id).toBe(asked)
    expect((await service.call('GET', path)).body['update']).toBe(asked)
    const { update } = (await service.call('GET', `${path}/products`)).body['data'] as Record<string, object>
    expect(update).toMatchObject({ latest_request_id: asked, latest_successful_request_id: asked })
  })

  it('finds all accounts of an entity that never connected', async () => {
    service = await testService()
    const entity = await lender(service).verified('+15125550101')
    await enroll(entity, 'connect')
    await clock('P2D')
    const list = (await service.call('GET', `/entities/${entity}/connect`)).body['data'] as { accounts: string[] }[]
    expect(list.map(({ accounts }) => accounts.length)).toEqual([4])
  })
})
