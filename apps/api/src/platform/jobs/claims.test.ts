import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { literal, plan, recorded, type Statement } from '../../testing/queries/plans.js'
import { engine, testService } from '../../testing/service.js'
import { createClaims } from './claims.js'
import { newJob } from './statements.js'

const statements: Statement[] = []
const service = await testService()
afterEach(() => service.store.write(tx => tx.deleteFrom('jobs').where('kind', '=', 'kind').execute()))

/** Adds jobs for a team. @param run_at returns the due time of a job; by default, all are due */
async function add(team_id: string, count: number, run_at = (number: number) => service.deps.clock() - 1_000 + number) {
  const scope = { deps: service.deps, team: { id: team_id } }
  const now = service.deps.clock()
  const rows = Array.from({ length: count }, (_, number) =>
    newJob(
      scope,
      { kind: 'kind', payload: {} },
      { id: `job_${team_id}_${number}`, now, run_at: run_at(number), lease: null },
    ),
  )
  for (let at = 0; at < count; at += 500)
    await service.store.write(tx =>
      tx
        .insertInto('jobs')
        .values(rows.slice(at, at + 500))
        .execute(),
    )
  return rows
}
const claims = () =>
  createClaims({ ...service.deps, store: recorded(service.store, statements) }, ['kind'], 'me', 10_000)

it("a team with hundreds of due jobs leaves room for another team's jobs", async () => {
  const flood = (await service.anotherTeam()).team
  const other = (await service.anotherTeam()).team
  const rows = await add(flood, 300)
  // All of the flooding team's jobs are due before the other team's job.
  await add(other, 1, () => service.deps.clock() - 1)
  const { claim } = claims()
  const first = await claim(20, team => (team === flood ? 16 : 20))
  expect(first.filter(each => each.team_id === flood)).toHaveLength(16)
  expect(first.filter(each => each.team_id === other)).toHaveLength(1)
  // The oldest jobs come first.
  expect(first.map(each => each.id)).toContain(rows[0]!.id)
  expect(await claim(20, team => (team === flood ? 0 : 20))).toEqual([])
})

it('gives every team a turn while one team has no free capacity', async () => {
  const flood = (await service.anotherTeam()).team
  await add(flood, 50)
  // The teams need no rows of their own, because claims read only jobs.
  const later = Array.from({ length: 150 }, (_, number) => `team_${String(number).padStart(3, '0')}`)
  const due = new Set(later.filter((_, number) => number % 50 === 49))
  for (const team of later) await add(team, 1, () => service.deps.clock() + (due.has(team) ? -1 : 60_000))
  const { claim } = claims()
  // Teams that have only later jobs don't take up turns.
  const one = async () => (await claim(1, team => (team === flood ? 0 : 1))).map(each => each.team_id)
  expect((await claim(20, team => (team === flood ? 0 : 1))).map(each => each.team_id).sort()).toEqual([...due])
  expect(await one()).toEqual([])
  for (const team of ['team_000', 'team_149']) {
    await service.store.write(tx =>
      tx.updateTable('jobs').set({ run_at: 0, lease_until: null }).where('team_id', '=', team).execute(),
    )
    expect(await one()).toEqual([team])
  }
})

it('gives teams with many due jobs equal turns', async () => {
  const flood = (await service.anotherTeam()).team
  await add(flood, 50)
  const busy = ['team_a', 'team_b', 'team_c', 'team_d']
  for (const team of busy) await add(team, 200, () => service.deps.clock() - 1)
  const { claim } = claims()
  const found: string[] = []
  for (let pass = 0; pass < 20; pass++)
    found.push(...(await claim(20, team => (team === flood ? 0 : 10))).map(each => each.team_id))
  for (const team of busy) expect(found.filter(each => each === team)).toHaveLength(100)
})

it("doesn't read the jobs of a team that has no free capacity", async () => {
  const flood = (await service.anotherTeam()).team
  const other = (await service.anotherTeam()).team
  await add(flood, 3_000)
  await add(other, 1, () => service.deps.clock() - 1)
  if (engine === 'postgres')
    await service.store.reader.executeQuery(
      literal({ text: 'analyze jobs', parameters: [] }).compile(service.store.reader),
    )
  statements.length = 0
  expect(await claims().claim(20, team => (team === flood ? 0 : 20))).toMatchObject([{ team_id: other }])
  // The queries for the oldest jobs, the teams, and the jobs of the team with free capacity. The others take the job.
  const plans = await Promise.all(statements.slice(0, 3).map(each => plan(service.store.reader, literal(each))))
  expect(plans[0]).toContain('jobs_free')
  expect(plans[1]).toContain('jobs_team_free')
  expect(plans[2]).toContain('jobs_team_free')
  for (const each of plans) expect(each).not.toMatch(/Seq Scan on jobs|SCAN jobs(?! USING)|Sort|TEMP B-TREE/)
})

// SQLite has no statistics unless an operator collects them.
const statistics =
  engine === 'postgres' ? (['no statistics', 'statistics of one busy team'] as const) : ['no statistics']

it.each(statistics)('reads no other ready jobs in a store with %s', async known => {
  const flood = (await service.anotherTeam()).team
  const other = (await service.anotherTeam()).team
  await add(flood, 3_000)
  const [job] = await add(other, 1, () => service.deps.clock() - 1)
  // Disables autovacuum, because PostgreSQL would otherwise analyze the table.
  if (engine === 'postgres')
    for (const text of [
      'alter table jobs set (autovacuum_enabled = false)',
      known === 'no statistics' ? "delete from pg_statistic where starelid = 'jobs'::regclass" : 'analyze jobs',
    ])
      await sql.raw(text).execute(service.store.reader)
  statements.length = 0
  const { claim, claimOf } = claims()
  expect(await claim(20, team => (team === flood ? 2 : 0))).toHaveLength(2)
  expect(await claim(20, team => (team === flood ? 2 : 20))).toHaveLength(3)
  await service.store.write(tx =>
    tx.updateTable('jobs').set({ lease_until: null }).where('team_id', '=', other).execute(),
  )
  expect(await claimOf(1, { team: other, id: job!.id })).toHaveLength(1)
  const keyed = statements.filter(({ text }) => text.includes('(team_id, id) in'))
  // Each claim locks and takes its jobs. The last one also looks for its job first.
  expect(keyed).toHaveLength(7)
  for (const each of keyed) {
    const lines = (await plan(service.store.reader, literal(each))).split('\n')
    const scans = lines.filter(line => /Index Cond|Seq Scan|SCAN jobs|SEARCH jobs/.test(line))
    expect(scans.length).toBeGreaterThan(0)
    for (const scan of scans) expect(scan).toMatch(/\(team_id = .+\) AND \(id = |\(team_id=\? AND id=\?\)/)
  }
  const [turns] = statements.filter(({ text }) => text.includes('recursive'))
  // A minimum would be an aggregate of all ready jobs.
  expect(await plan(service.store.reader, literal(turns!))).not.toMatch(/Aggregate|Sort|TEMP B-TREE/)
})
