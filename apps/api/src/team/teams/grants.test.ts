import { describe, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { resolveGrants } from './grants.js'

const production = await testService({ environment: 'production' })
const bank = lender(production)

const grant = (name: string, value: string, team = production.team) =>
  production.store.write(tx =>
    tx
      .insertInto('team_grants')
      .values({ team_id: team, name, value })
      .onConflict(conflict => conflict.columns(['team_id', 'name']).doUpdateSet({ value }))
      .execute(),
  )

describe('grants', () => {
  const row = (name: string, value: string) => ({ name, value })
  it('are all enabled in the sandbox, and disabled in production until the operator grants them', () => {
    expect(Object.values(resolveGrants('sandbox', []).powers)).toEqual([true, true, true, true])
    expect(resolveGrants('sandbox', []).ceilings.sensitive_reads_per_day).toBeNull()
    expect(Object.values(resolveGrants('production', []).powers)).toEqual([false, false, false, false])
    expect(resolveGrants('production', []).ceilings).toEqual({
      payment_amount_max: null,
      payments_per_month: null,
      sensitive_reads_per_day: 1_000,
    })
  })

  it('extend to child teams, which never have more than their parent', () => {
    const { powers, ceilings } = resolveGrants('production', [
      row('byo_kyc', 'on'),
      row('ach_destinations', 'on'),
      row('ach_destinations', 'off'),
      row('payments_per_month', '500'),
      row('payments_per_month', 'none'),
      row('payment_amount_max', 'none'),
      row('sensitive_reads_per_day', '9'),
      row('sensitive_reads_per_day', '7000'),
    ])
    expect(powers).toEqual({ child_teams: false, byo_kyc: true, manual_connect: false, ach_destinations: false })
    expect(ceilings).toEqual({ payment_amount_max: null, payments_per_month: 500, sensitive_reads_per_day: 9 })
  })
})

describe('a team without a grant', () => {
  // kills: no-power-without-grant
  it.each([
    ['byo_kyc on', { identity_methods: ['kba', 'byo_kyc'] }],
    ['manual_connect on', { products: ['balance', 'manual_connect'] }],
    ['ach_destinations on', { ach_destinations: true }],
    ['sensitive_reads_per_day 1001', { limits: { sensitive_reads_per_day: 1_001 } }],
    ['sensitive_reads_per_day none', { limits: { sensitive_reads_per_day: null } }],
  ])('cannot enable it: %s', async (words, body) => {
    const refused = await bank.call('PATCH', '/team', body)
    expect(refused.status).toBe(403)
    expect(refused.body.error?.message).toContain(`pnpm admin team grant ${production.team} ${words}`)
  })

  it('creates no child team, and the rejected request works once the operator has granted it', async () => {
    const post = () => bank.call('POST', '/teams', { name: 'Child' }, { 'idempotency-key': 'child' })
    const refused = await post()
    expect(refused.status).toBe(403)
    expect(refused.body.error?.message).toContain(`pnpm admin team grant ${production.team} child_teams on`)
    await grant('child_teams', 'on')
    expect((await post()).status).toBe(200)
  })

  it('with new grants enables them, lowers its limits, and raises them only to the ceiling', async () => {
    await grant('ach_destinations', 'on')
    await grant('payments_per_month', '50')
    expect(await bank.must('PATCH', '/team', { ach_destinations: true })).toMatchObject({ ach_destinations: true })
    await bank.must('PATCH', '/team', { limits: { payments_per_month: 10, sensitive_reads_per_day: 5 } })
    await bank.must('PATCH', '/team', { limits: { payments_per_month: 50, sensitive_reads_per_day: 1_000 } })
    expect(await bank.rejection('PATCH', '/team', { limits: { payments_per_month: 51 } })).toBe('FORBIDDEN')
    expect(await bank.rejection('PATCH', '/team', { limits: { payments_per_month: null } })).toBe('FORBIDDEN')
  })

  it('gives a child team no more than it can have itself', async () => {
    await grant('child_teams', 'on')
    await grant('payments_per_month', '50')
    const team = await bank.must('POST', '/teams', { name: 'Child' })
    expect(team['limits']).toMatchObject({ payments_per_month: 50 })
    const child = lender(production, (team['key'] as { value: string }).value)
    expect(await child.rejection('PATCH', '/team', { limits: { payments_per_month: 60 } })).toBe('FORBIDDEN')
    expect(await child.rejection('PATCH', '/team', { identity_methods: ['byo_kyc'] })).toBe('FORBIDDEN')
  })
})

describe("an operator's ceiling", () => {
  /** Creates a root team with two child teams. Each team has a bank account. */
  async function tree() {
    const { key, team } = await production.anotherTeam()
    await grant('child_teams', 'on', team)
    const root = lender(production, key)
    const below = async (name: string) => {
      const child = await root.must('POST', '/teams', { name })
      return lender(production, (child['key'] as { value: string }).value)
    }
    const banks = [root, await below('First'), await below('Second')]
    const reads = []
    for (const each of banks) {
      const { id } = await each.source()
      reads.push(() => each.call('GET', `/accounts/${id}`))
    }
    return { team, banks, reads }
  }

  it('on reads of full numbers is shared by a tree: child teams do not multiply it', async () => {
    const { team, reads } = await tree()
    await grant('sensitive_reads_per_day', '3', team)
    const statuses = []
    for (const read of [...reads, ...reads]) statuses.push((await read()).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429])
    const { body, headers } = await reads[1]!()
    expect(body.error?.message).toContain('All teams in the tree share a limit of 3 per day.')
    expect(headers.get('retry-after')).toBe(String(24 * 3_600))
    // Each tree has its own count.
    expect((await (await tree()).reads[0]!()).status).toBe(200)
  })

  it('alerts the operator when reads of full numbers approach it, and when they reach it', async () => {
    const { team, reads } = await tree()
    await grant('sensitive_reads_per_day', '5', team)
    const alerts = () =>
      production.lines.flatMap(line => {
        const { level, event, team_id, request_id } = JSON.parse(line)
        return String(event).startsWith('sensitive_reads_') ? [{ level, event, team_id, request_id }] : []
      })
    const before = alerts().length
    for (let count = 0; count < 6; count += 1) await reads[0]!()
    const newAlerts = alerts().slice(before)
    expect(newAlerts.map(({ level, event }) => `${level} ${event}`)).toEqual([
      'warn sensitive_reads_near',
      'warn sensitive_reads_reached',
    ])
    for (const each of newAlerts)
      expect(each).toMatchObject({ team_id: team, request_id: expect.stringMatching(/^req_/) })
  })

  it('defaults to 1,000 reads for the whole tree', async () => {
    const { team, reads } = await tree()
    expect((await reads[1]!()).status).toBe(200)
    await production.store.write(tx =>
      tx.updateTable('counters').set({ used: 1_000 }).where('kind', '=', 'sensitive_read_tree').execute(),
    )
    expect((await reads[0]!()).status).toBe(429)
    expect((await reads[2]!()).status).toBe(429)
    await grant('sensitive_reads_per_day', 'none', team)
    expect((await reads[2]!()).status).toBe(200)
  })
})
