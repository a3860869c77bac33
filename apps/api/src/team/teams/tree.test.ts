import { describe, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { findTeam } from './store.js'

const service = await testService()

type Bank = ReturnType<typeof lender>
type Key = { id: string; value: string }

/** Creates a team with a child and a grandchild. */
async function tree() {
  const { key, team } = await service.anotherTeam()
  const root = lender(service, key)
  const below = async (bank: Bank, name: string) => {
    const team = await bank.must('POST', '/teams', { name })
    const first = team['key'] as unknown as Key
    return { id: team.id, key: first, bank: lender(service, first.value) }
  }
  const child = await below(root, 'Child')
  return { root, team, child, below, grandchild: await below(child.bank, 'Grandchild') }
}
const keysOf = async (bank: Bank, path = '/team/keys') =>
  (await bank.must('GET', path))['data'] as unknown as { id: string; created_by: string | null }[]

describe('a payment stop', () => {
  // kills: stop-applies-below
  it('applies to every team below, including later ones, and to no team above or beside it', async () => {
    const { root, team, child, grandchild, below } = await tree()
    const beside = await below(root, 'Beside')
    await service.store.write(tx =>
      tx.updateTable('teams').set({ payments_stopped_at: 1 }).where('id', '=', child.id).execute(),
    )
    const later = await below(grandchild.bank, 'Later')
    const stopped = async (id: string) => (await findTeam(service.store.reader, id))!.paymentsStopped
    for (const id of [child.id, grandchild.id, later.id]) expect([id, await stopped(id)]).toEqual([id, true])
    for (const id of [team, beside.id, service.team]) expect([id, await stopped(id)]).toEqual([id, false])
    service.advance(2_001)
    const source = (await grandchild.bank.source()).id
    const body = { amount: 100, source, destination: (await grandchild.bank.debts()).accounts[0]!.id, description: 'x' }
    expect(await grandchild.bank.rejection('POST', '/payments', body)).toBe('PAYMENTS_STOPPED')
    await service.store.write(tx => tx.updateTable('teams').set({ payments_stopped_at: null }).execute())
    service.advance(2_001)
    expect(await grandchild.bank.must('POST', '/payments', body)).toMatchObject({ status: 'pending' })
  })
})

describe('a monthly payment ceiling', () => {
  it('is shared by a tree, even for simultaneous payments: child teams do not multiply it', async () => {
    const { team, child, grandchild, below } = await tree()
    const value = { team_id: team, name: 'payments_per_month', value: '3' }
    await service.store.write(tx => tx.insertInto('team_grants').values(value).execute())
    const pays = []
    for (const { bank } of [child, grandchild, await below(child.bank, 'Third')]) {
      const source = (await bank.source()).id
      const destination = (await bank.debts()).accounts[0]!.id
      pays.push(() => bank.call('POST', '/payments', { amount: 100, source, destination, description: 'x' }))
    }
    const replies = await Promise.all([...pays, ...pays].map(pay => pay()))
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(3)
    const refused = replies.filter(reply => reply.status !== 200).map(reply => reply.body.error?.sub_type)
    expect(refused).toEqual(Array(3).fill('MAX_REQUEST_LIMIT'))
  })
})

describe('keys of descendant teams', () => {
  it('are listed and revoked by a team at any level above, and by no team beside or below', async () => {
    const { root, team, child, grandchild } = await tree()
    const path = `/teams/${grandchild.id}/keys`
    expect(await keysOf(root, path)).toMatchObject([{ id: grandchild.key.id, created_by: child.key.id }])
    for (const other of [lender(service), grandchild.bank]) {
      expect(await other.rejection('GET', path)).toBe('NOT_FOUND')
      expect(await other.rejection('DELETE', `${path}/${grandchild.key.id}`)).toBe('NOT_FOUND')
    }
    expect(await child.bank.rejection('GET', `/teams/${team}/keys`)).toBe('NOT_FOUND')
    expect(await root.rejection('DELETE', `/teams/${child.id}/keys/${grandchild.key.id}`)).toBe('NOT_FOUND')
    await root.must('DELETE', `${path}/${grandchild.key.id}`)
    expect(await grandchild.bank.rejection('GET', '/team')).toBe('UNAUTHORIZED')
    expect(await keysOf(root, path)).toEqual([])
    const audited = await service.store.reader
      .selectFrom('audit')
      .select('team_id')
      .where('action', '=', 'key.revoke')
      .where('resource_id', '=', grandchild.key.id)
      .execute()
    expect(audited.map(row => row.team_id).sort()).toEqual([team, grandchild.id].sort())
  })

  it('created by a leaked key are revoked with it, down the tree, except the revoking key', async () => {
    const { root, child, grandchild } = await tree()
    const [leaked] = await keysOf(root)
    const fresh = (await root.must('POST', '/team/keys')) as unknown as Key
    const planted = (await root.must('POST', '/team/keys')) as unknown as Key
    const safe = lender(service, fresh.value)
    const refused = await safe.call('DELETE', `/team/keys/${leaked!.id}`)
    expect(refused.body.error?.message).toContain('created_keys=revoke')
    expect(refused.body.error?.message).toContain(child.id)
    await safe.must('DELETE', `/team/keys/${leaked!.id}?created_keys=revoke`)
    for (const bank of [root, child.bank, grandchild.bank, lender(service, planted.value)])
      expect(await bank.rejection('GET', '/team')).toBe('UNAUTHORIZED')
    expect((await keysOf(safe)).map(key => key.id)).toEqual([fresh.id])
  })

  it.each(['own', 'above'])('that a leaked key is creating while its %s team revokes it are also revoked', async by => {
    const { root, child } = await tree()
    const own = child.bank
    const newKey = (await own.must('POST', '/team/keys')) as unknown as Key
    const leaked = lender(service, newKey.value)
    await leaked.must('GET', '/team')
    const headers = { 'idempotency-key': 'planted' }
    const [revoked, ...planted] = await Promise.all([
      by === 'own'
        ? own.call('DELETE', `/team/keys/${newKey.id}?created_keys=revoke`)
        : root.call('DELETE', `/teams/${child.id}/keys/${newKey.id}?created_keys=revoke`),
      leaked.call('POST', '/team/keys', {}, headers),
      leaked.call('POST', '/team/keys'),
      leaked.call('POST', '/teams', { name: 'Planted' }),
    ])
    expect(revoked.status).toBe(200)
    for (const reply of planted) {
      expect([200, 401]).toContain(reply.status)
      const value = /sk_\w{40}/.exec(reply.text)?.[0]
      if (value)
        expect((await service.call('GET', '/team', undefined, { authorization: `Bearer ${value}` })).status).toBe(401)
    }
    // A rejection is not stored, so a request with another API key can reuse the Idempotency-Key.
    if (planted[0]!.status === 401) expect((await own.call('POST', '/team/keys', {}, headers)).status).toBe(200)
    expect((await keysOf(own)).filter(key => key.created_by === newKey.id)).toEqual([])
  })

  it('remain if a key is replaced', async () => {
    const { root, child } = await tree()
    const [old] = await keysOf(root)
    const safe = lender(service, ((await root.must('POST', '/team/keys')) as unknown as Key).value)
    for (const choice of ['all', ''])
      expect(await safe.rejection('DELETE', `/team/keys/${old!.id}?created_keys=${choice}`)).toBe('INVALID_REQUEST')
    await safe.must('DELETE', `/team/keys/${old!.id}?created_keys=keep`)
    expect(await child.bank.must('GET', '/team')).toMatchObject({ id: child.id })
  })
})

describe('rate limits', () => {
  it('apply to a whole tree and all its keys', async () => {
    const limited = await testService({ rateLimits: 0.1 })
    const root = lender(limited)
    const team = await root.must('POST', '/teams', { name: 'Child' })
    const child = lender(limited, (team['key'] as unknown as Key).value)
    const second = lender(limited, ((await root.must('POST', '/team/keys')) as unknown as Key).value)
    const statuses: number[] = []
    for (let each = 0; each < 13; each += 1)
      statuses.push((await [root, child, second][each % 3]!.call('POST', '/payments', { amount: 1 })).status)
    expect(statuses).toEqual([...Array(12).fill(400), 429])
    expect((await lender(limited, (await limited.anotherTeam()).key).call('POST', '/payments', {})).status).toBe(400)
  })
})
