import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { outgoing } from '../../platform/db/migrations/0017-outgoing.js'
import { startHooks } from '../../testing/hooks.js'

it('what waits when lanes become those of endpoints is delivered', async () => {
  const { service, hook, happens, passes, receiver, deliveries } = await startHooks()
  const { engine, write } = service.store
  const { id } = await hook()
  receiver.reply([{ status: 503, headers: { 'Retry-After': '3600' } }])
  await happens()
  await passes()
  await happens()
  const old = `${(await service.store.reader.selectFrom('webhooks').select('team_id').executeTakeFirstOrThrow()).team_id} https://a.example`
  await write(async tx => {
    await tx.updateTable('jobs').set({ lane: old }).where('lane', 'is not', null).execute()
    await tx.updateTable('lanes').set({ lane: old }).execute()
    for (const column of ['lane', 'counted_since'])
      await sql`alter table webhooks drop column ${sql.ref(column)}`.execute(tx)
    for (const statement of outgoing({ id: 'text', engine })) await sql.raw(statement).execute(tx)
  })
  await passes(3_600)
  expect((await deliveries(id)).map(each => each['status'])).toEqual(['delivered', 'delivered'])
  await service.stop()
})
