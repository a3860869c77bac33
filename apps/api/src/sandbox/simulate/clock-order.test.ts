import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { engine, testService } from '../../testing/service.js'

const service = await testService()

it.runIf(engine === 'postgres')(
  'a clock move and a delivery acquire locks in the same order (PostgreSQL only)',
  async () => {
    const { store, team } = service
    const lane = { lane: 'we_1', team_id: team, failures: 0, paused_until: 0 }
    await store.write(tx => tx.insertInto('lanes').values(lane).execute())
    /** Waits until the lane's lock blocks the clock change. */
    const isBlocked = async () => {
      for (;;) {
        const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like 'update "lanes"%'`.execute(store.reader)
        if (rows.length > 0) return
      }
    }
    const moved = await store.write(async tx => {
      await tx.updateTable('lanes').set({ failures: 1 }).where('lane', '=', 'we_1').execute()
      const moving = service.call('POST', '/simulate/clock', { advance: 'PT1H' })
      await isBlocked()
      await sql`select id from teams where id = ${team} for share nowait`.execute(tx)
      return { moving }
    })
    expect((await moved.moving).status).toBe(200)
  },
)
