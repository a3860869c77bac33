import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { engine, freshStore } from '../../../testing/service.js'
import { openStore } from '../store.js'
import { TIMEOUTS_MS } from './pool.js'

/** Returns PostgreSQL's message for a fatal error. */
function fatal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`)
  const header = Buffer.alloc(5)
  header.write('E')
  header.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([header, fields])
}

/** Starts a pooler that, like PgBouncer, rejects connections that set limits. Returns its URL. */
async function pooler(url: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const server = createServer(client => {
    client.on('error', () => {})
    client.once('data', startup => {
      if (startup.includes('lock_timeout')) {
        client.end(fatal('08P01', 'unsupported startup parameter in options: lock_timeout'))
        return
      }
      const behind = connect(Number(port), hostname)
      behind.on('error', () => client.destroy())
      behind.write(startup)
      client.pipe(behind).pipe(client)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return Object.assign(new URL(url), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` }).toString()
}

it.runIf(engine === 'postgres')(
  'works through a pooler that rejects limits, once they are set on the role (PostgreSQL only)',
  async () => {
    const { store, url, remove } = await freshStore()
    const pooled = await pooler(url)
    await expect(openStore(pooled)).rejects.toThrow('these limits are 0: lock_timeout')
    const name = new URL(url).pathname.slice(1)
    const limits = {
      lock_timeout: TIMEOUTS_MS.lock,
      statement_timeout: TIMEOUTS_MS.statement,
      idle_in_transaction_session_timeout: TIMEOUTS_MS.idle,
    }
    for (const [limit, ms] of Object.entries(limits))
      await sql
        .raw(`alter role "${new URL(url).username}" in database "${name}" set ${limit} = ${ms}`)
        .execute(store.reader)
    const through = await openStore(pooled)
    expect(await through.reader.selectFrom('teams').select('id').execute()).toEqual([])
    await through.close()
    await store.close()
    await remove()
  },
)
