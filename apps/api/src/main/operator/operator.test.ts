import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { versions } from '@causeway/contract/versions'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { insertEntity, updateEntity } from '../../people/entities/store.js'
import { blankDetails } from '../../people/holders/entity.js'
import { createVault } from '../../platform/crypto/vault.js'
import { openStore } from '../../platform/db/store.js'
import { transact } from '../../platform/scope.js'
import { createKey, findKey, listActiveKeys } from '../../team/teams/keys.js'
import { findTeam, updateTeam } from '../../team/teams/store.js'
import { lender } from '../../testing/money.js'
import { engine, testService } from '../../testing/service.js'
import { checkStore, createFirstTeam } from '../boot.js'
import { type Config, readConfig } from '../config.js'
import { createCommandDeps } from './deps.js'
import { operate } from './operator.js'

const NOW = Date.parse('2026-03-02T15:00:00.000Z')
let folder: string
let config: Config
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-operator-'))
  config = readConfig({ DATABASE_URL: 'file:store.db' }, folder)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Creates a store like the one that exists after the service's first start. */
async function started() {
  const store = await openStore(config.databaseUrl)
  const vault = createVault(config.masterKey)
  await checkStore(store, vault, config.environment)
  await createFirstTeam(store, vault, null, NOW, () => {})
  return store
}
const run = (...args: string[]) => operate(config, args, NOW) as Promise<Record<string, unknown>>

describe('the operator', () => {
  it('creates a team and lists it, creates a key and revokes it', async () => {
    await (await started()).close()
    const team = await run('team', 'create', 'Harbor Credit')
    const list = (await run('team', 'list')) as unknown as { id: string; name: string }[]
    expect(list.map(each => each.name)).toEqual(['First team', 'Harbor Credit'])
    expect(JSON.stringify(list)).not.toContain('sk_')
    const key = await run('key', 'create', team['id'] as string)
    await run('key', 'revoke', (team['key'] as { id: string }).id)
    await expect(run('key', 'revoke', (team['key'] as { id: string }).id)).rejects.toThrow('No active key')
    const store = await started()
    expect((await findKey(store.reader, key['value'] as string))?.team.id).toBe(team['id'])
    expect(await findKey(store.reader, (team['key'] as { value: string }).value)).toBeUndefined()
    await store.close()
  })

  it('creates a console link without an id while there is one team, and asks for the id once there are more', async () => {
    await (await started()).close()
    config = { ...config, consoleOrigin: 'http://localhost:4400' }
    const [first] = (await run('team', 'list')) as unknown as { id: string }[]
    const link = await run('console', 'link')
    expect(link).toMatchObject({ team_id: first!.id, link: expect.stringContaining('/sign-in#link=') })
    const { id } = await run('team', 'create', 'Harbor Credit')
    await expect(run('console', 'link')).rejects.toThrow('There is more than one team, so add the id of a team')
    expect(await run('console', 'link', id as string)).toMatchObject({ team_id: id })
    await expect(run('console', 'link', id as string, 'more')).rejects.toThrow('pnpm admin console link [TEAM]')
    await expect(run('console', 'link', '')).rejects.toThrow('No team has the id')
  })

  it('creates and revokes keys and sets versions while the service runs, and the audit log records it all', async () => {
    const store = await started()
    const team = await run('team', 'create', 'Harbor Credit')
    const first = (team['key'] as { id: string }).id
    const second = (await run('key', 'create', team['id'] as string))['id'] as string
    await run('key', 'revoke', first)
    await run('version', 'set', team['id'] as string, '2026-03-30')
    const entries = await store.reader
      .selectFrom('audit')
      .select(['actor', 'action', 'resource_id'])
      .where('team_id', '=', team['id'] as string)
      .execute()
    expect(new Set(entries.map(row => `${row.actor} ${row.action} ${row.resource_id}`))).toEqual(
      new Set([
        `operator team.create ${team['id']}`,
        `operator key.create ${second}`,
        `operator key.revoke ${first}`,
        `operator version.set ${team['id']}`,
      ]),
    )
    await store.close()
  })

  it('revokes a key and every key that was created with it', async () => {
    const store = await started()
    const team = await run('team', 'create', 'Harbor Credit')
    const id = team['id'] as string
    const first = (team['key'] as { id: string }).id
    const made = await store.write(async tx => {
      const second = await createKey(tx, id, NOW, { by: first })
      return [second.row.id, (await createKey(tx, id, NOW, { by: second.row.id })).row.id]
    })
    expect(await run('key', 'revoke', first)).toMatchObject({ created_and_live: made.map(id => ({ id })) })
    expect(await run('key', 'revoke-created', first)).toMatchObject({ also_revoked: made.map(id => ({ id })) })
    await expect(run('key', 'revoke-created', first)).rejects.toThrow('No active key')
    expect(await listActiveKeys(store.reader, id)).toEqual([])
    await store.close()
  })

  it('grants a team permissions and limits, and reduces settings that exceed them', async () => {
    const store = await started()
    const { id } = (await run('team', 'create', 'Harbor Credit')) as { id: string }
    await expect(run('team', 'grant', id, 'wings', 'on')).rejects.toThrow('NAME must be one of')
    await expect(run('team', 'grant', id, 'byo_kyc', 'maybe')).rejects.toThrow('must be on or off')
    await expect(run('team', 'grant', id, 'payments_per_month', '-1')).rejects.toThrow(
      'a whole number above 0, or none',
    )
    const before = (await findTeam(store.reader, id))!
    const settings = { ...before.settings, ach_destinations: true, identity_methods: ['kba', 'byo_kyc'] }
    await store.write(tx => updateTeam(tx, id, { settings }, NOW))
    expect(await run('team', 'grants', id)).toMatchObject({ powers: { byo_kyc: true } })
    expect(await run('team', 'grant', id, 'byo_kyc', 'off')).toMatchObject({
      team_id: id,
      powers: { byo_kyc: false, ach_destinations: true },
    })
    await run('team', 'grant', id, 'ach_destinations', 'off')
    await run('team', 'grant', id, 'payments_per_month', '25')
    expect((await findTeam(store.reader, id))!.settings).toMatchObject({
      ach_destinations: false,
      identity_methods: ['kba'],
      limits: { payment_amount_max: null, payments_per_month: 25, sensitive_reads_per_day: 1_000 },
    })
    const audited = await store.reader.selectFrom('audit').select('id').where('action', '=', 'team.grant').execute()
    expect(audited).toHaveLength(3)
    await store.close()
  })

  it('sets any known version, including an older one', async () => {
    await (await started()).close()
    const [team] = (await run('team', 'list')) as unknown as { id: string }[]
    expect(await run('version', 'set', team!.id, '2026-03-30')).toMatchObject({ version: '2026-03-30' })
    expect(await run('version', 'set', team!.id, '2024-04-04')).toMatchObject({ version: '2024-04-04' })
    expect(await run('version', 'set', team!.id, '2020-12-06')).toMatchObject({ version: '2020-12-06' })
    await expect(run('version', 'set', team!.id, '2020-01-01')).rejects.toThrow(versions.join(', '))
  })

  it('gets instructions if a command cannot be run', async () => {
    await expect(run('team', 'list')).rejects.toThrow('There is no store')
    await expect(run('team', 'explode')).rejects.toThrow('pnpm admin team create NAME')
    await expect(run('key', 'create')).rejects.toThrow('pnpm admin key create TEAM')
    await (await started()).close()
    await expect(run('key', 'create', 'team_x')).rejects.toThrow('No team has the id team_x')
  })

  it('makes people stored by earlier versions findable by the last digits of their phone number', async () => {
    const store = await started()
    const [{ id: team_id }] = (await store.reader.selectFrom('teams').select('id').execute()) as [{ id: string }]
    const deps = await createCommandDeps(store, config, NOW)
    const team = (await deps.teamOf(team_id))!
    const created = await transact(deps, team, scope => {
      const details = { ...blankDetails, first_name: 'Ana', last_name: 'Reyes', phone: '+15125550123' }
      return insertEntity(scope, { type: 'individual', kind: 'individual', details }, null)
    })
    const words = () => store.reader.selectFrom('name_words').selectAll().orderBy('word').execute()
    const before = await words()
    expect(before).toHaveLength(3)
    await store.write(tx => tx.deleteFrom('name_words').execute())
    expect(await run('search', 'rebuild')).toEqual({ people: 1 })
    expect(await words()).toEqual(before)
    await transact(deps, team, scope => updateEntity(scope, created.row, { withdrawn_at: 1 }))
    await store.write(tx => tx.deleteFrom('name_words').execute())
    await run('search', 'rebuild')
    expect(await words()).toEqual([])
    await store.close()
  })

  it("stops one team's or all teams' payments while the service runs, and resumes them", async () => {
    const store = await started()
    const [team] = await store.reader.selectFrom('teams').select('id').execute()
    const stopped = async () => (await findTeam(store.reader, team!.id))!.paymentsStopped
    expect(await stopped()).toBe(false)
    expect(await run('payments', 'stop', team!.id)).toEqual({
      payments: team!.id,
      stopped_at: '2026-03-02T15:00:00.000Z',
    })
    expect(await stopped()).toBe(true)
    await run('payments', 'stop', 'all')
    await run('payments', 'stop', 'all')
    await run('payments', 'start', team!.id)
    expect(await stopped()).toBe(true)
    expect(await run('payments', 'start', 'all')).toEqual({ payments: 'all', stopped_at: null })
    expect(await stopped()).toBe(false)
    await expect(run('payments', 'stop', 'team_x')).rejects.toThrow('No team has the id team_x')
    const audited = await store.reader.selectFrom('audit').select(['actor', 'action']).execute()
    expect(audited).toHaveLength(5)
    expect(audited[0]).toEqual({ actor: 'operator', action: 'payments.stop' })
    await store.close()
  })

  it('replaces the key that encrypts requests while the service runs, and retires the old one', async () => {
    const store = await started()
    const first = (await run('encryption', 'rotate')) as { active: { id: string }; deprecated: null }
    expect(first.deprecated).toBeNull()
    const { active, deprecated } = (await run('encryption', 'rotate')) as Record<string, { id: string }>
    expect(deprecated!.id).toBe(first.active.id)
    await expect(run('encryption', 'disable', active!.id)).rejects.toThrow('No deprecated key has the id')
    await run('encryption', 'disable', deprecated!.id)
    const keys = (await run('encryption', 'keys')) as unknown as { id: string; status: string }[]
    expect(new Map(keys.map(({ id, status }) => [id, status]))).toEqual(
      new Map([
        [active!.id, 'active'],
        [deprecated!.id, 'disabled'],
      ]),
    )
    expect(JSON.stringify(keys)).not.toMatch(/private|"d":|sealed/)
    const audited = await store.reader.selectFrom('audit').select(['actor', 'action']).orderBy('action').execute()
    expect(audited.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      'operator service_key.disable',
      'operator service_key.rotate',
      'operator service_key.rotate',
    ])
    await store.close()
  })

  it('lists who did what to which resource, for one team or all teams', async () => {
    await (await started()).close()
    const [team] = (await run('team', 'list')) as unknown as { id: string }[]
    await run('payments', 'stop', team!.id)
    await run('payments', 'stop', 'all')
    const entry = { actor: 'operator', action: 'payments.stop', created_at: '2026-03-02T15:00:00.000Z' }
    expect(await run('audit', 'list', team!.id, '2026-03-02')).toMatchObject({
      entries: [{ ...entry, team_id: team!.id, resource_id: team!.id }],
      more_since: null,
    })
    expect(await run('audit', 'list', 'all', '2026-03-02')).toMatchObject({ entries: [{ ...entry, team_id: null }] })
    expect(await run('audit', 'list', team!.id, '2026-03-03')).toMatchObject({ entries: [] })
    await expect(run('audit', 'list', team!.id, 'yesterday')).rejects.toThrow('must be ISO 8601')
  })

  it('checks the ledger while the service runs', async () => {
    const store = await started()
    expect(await run('ledger', 'check')).toMatchObject({ ok: true, payments: 0, faults: [] })
    const [team] = await store.reader.selectFrom('teams').select('id').execute()
    const stray = {
      payment_id: 'pmt_x',
      leg: 'sent.0',
      team_id: team!.id,
      account: 'transit',
      amount: 1,
      created_at: 1,
    }
    await store.write(tx => tx.insertInto('ledger').values(stray).execute())
    expect(await run('ledger', 'check')).toMatchObject({ ok: false, faulty: 1, faults: [{ payment_id: 'pmt_x' }] })
    await store.close()
  })

  it.skipIf(engine === 'postgres')("queries the service's configured rail, not the sandbox's", async () => {
    const service = await testService()
    const bank = lender(service)
    const source = (await bank.source()).id
    const destination = (await bank.debts()).accounts[0]!.id
    await bank.must('POST', '/payments', { amount: 5_000, source, destination, description: 'x' })
    const env = { DATABASE_URL: `file:${service.file}`, ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') }
    const check = (more: Record<string, string>) => operate(readConfig({ ...env, ...more }), ['ledger', 'check'], NOW)
    const moveTo = (provider: string) =>
      service.store.write(tx => tx.updateTable('payments').set({ provider }).execute())
    await moveTo('sandbox')
    expect(await check({})).toMatchObject({ ok: true, payments: 1, asked: 1, unanswered: 0 })
    // Connections to this address are refused.
    const own = { CONNECTOR_URL: 'http://127.0.0.1:9', CONNECTOR_KEY: Buffer.alloc(32, 9).toString('base64') }
    await moveTo('connector')
    expect(await check(own)).toMatchObject({ ok: true, payments: 1, asked: 0, unanswered: 1, unconfigured: [] })
    expect(await check({})).toMatchObject({ ok: true, asked: 0, unanswered: 1, unconfigured: ['connector'] })
  })

  it('backs up a store while it is in use, and restores it while it is not', async () => {
    const store = await started()
    const copy = join(folder, 'copy.db')
    expect(await run('backup', copy)).toEqual({ backup: copy })
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    await expect(run('backup', copy)).rejects.toThrow('already exists')
    await expect(run('restore', copy)).rejects.toThrow('in use')
    await store.close()
    await run('team', 'create', 'Made after the backup')
    await run('restore', copy)
    const list = (await run('team', 'list')) as unknown as { name: string }[]
    expect(list.map(team => team.name)).toEqual(['First team'])
  })

  it('does not restore a broken copy or one with another encryption key', async () => {
    await (await started()).close()
    const broken = join(folder, 'broken.db')
    writeFileSync(broken, 'not a database')
    await expect(run('restore', broken)).rejects.toThrow('Nothing was changed')
    const copy = join(folder, 'copy.db')
    await run('backup', copy)
    const stranger = { ...config, masterKey: Buffer.alloc(32, 9) }
    await expect(operate(stranger, ['restore', copy], NOW)).rejects.toThrow('Nothing was changed')
    expect(await run('team', 'list')).toHaveLength(1)
  })

  it.runIf(engine === 'postgres')("uses PostgreSQL with the service's settings (PostgreSQL only)", async () => {
    const service = await testService()
    let asked: { named: boolean; limit: string | undefined }[] = []
    const { query } = pg.Client.prototype
    const seen = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given) {
      const [first] = given as unknown as [{ name?: string; values?: unknown[] }]
      const { connectionParameters } = this as unknown as { connectionParameters: { options: string } }
      const limit = /statement_timeout=(\d+)/.exec(connectionParameters.options)?.[1]
      if (first.values?.length) asked.push({ named: first.name !== undefined, limit })
      return Reflect.apply(query, this, given) as never
    })
    const env = { DATABASE_URL: service.url, ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') }
    const statements = async (more: Record<string, string>) => {
      asked = []
      await operate(readConfig({ ...env, ...more }), ['team', 'grants', service.team], NOW)
      return asked
    }
    try {
      const usual = await statements({})
      expect(usual).toEqual(usual.map(() => ({ named: true, limit: '15000' })))
      const set = await statements({ DATABASE_PREPARED: 'off', DATABASE_TIMEOUT: '20' })
      expect(set).toEqual(usual.map(() => ({ named: false, limit: '20000' })))
      expect(usual).not.toEqual([])
    } finally {
      seen.mockRestore()
    }
  })
})
