import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { engine, testService } from '../../../testing/service.js'

const service = await testService()

const run = (statement: string) => service.store.write(tx => sql.raw(statement).execute(tx))
const company = { type: 'corporation', corporation: { name: 'Northwind' } }
const post = (headers: Record<string, string>) => service.call('POST', '/entities', company, headers)

it.skipIf(engine === 'sqlite')(
  'a write that always conflicts with others returns 503, has no effect and leaves its key unused (PostgreSQL only: SQLite has one writer)',
  async () => {
    await run(`create function stand_in_the_way() returns trigger language plpgsql as
      $$ begin raise exception 'in the way' using errcode = 'deadlock_detected'; end $$`)
    await run('create trigger in_the_way before insert on entities execute function stand_in_the_way()')
    for (const headers of [{}, { 'idempotency-key': 'k' }]) {
      const reply = await post(headers)
      expect([reply.status, reply.body['error']['sub_type']]).toEqual([503, 'SERVICE_UNAVAILABLE'])
      expect([reply.headers.get('retry-after'), reply.headers.get('idem-status')]).toEqual(['1', 'bypassed'])
    }
    await run('drop trigger in_the_way on entities')
    const reply = await post({ 'idempotency-key': 'k' })
    expect([reply.status, reply.headers.get('idem-status')]).toEqual([200, 'stored'])
  },
)
