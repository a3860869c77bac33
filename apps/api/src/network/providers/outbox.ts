import type { Push } from '@causeway/connector/methods/contract'
import type { LinkedResource } from '@causeway/connector/provider/provider'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@causeway/contract/time'
import { randomText } from '../../platform/crypto/random.js'
import { levelOf } from '../../platform/db/fault.js'
import type { Db, Store } from '../../platform/db/types.js'
import { describeFault, type Log } from '../../platform/log.js'

export interface OutboxDeps {
  store: Store
  /** The real time, in epoch milliseconds. */
  clock: () => number
  log: Log
  /** Sends one push. @returns the response status. Throws if there is no response */
  send(push: Push): Promise<number>
}

/** The pushes that providers in a process of their own owe to the service. They survive a restart. */
export interface Outbox {
  /** Adds a push about a resource, in a transaction. Resources that the service does not read are left out. */
  add(db: Db, team: string, resource: LinkedResource): Promise<void>
  /** Sends the due pushes until one of them fails. Never rejects. */
  sendDue(): Promise<void>
  start(): void
  /** Stops after the push in progress. */
  stop(): Promise<void>
}

/** The delays between the attempts of a push, in ms. The last delay repeats. Each is longer than a push may take. */
const RETRY_DELAYS_MS = [15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS] as const
/** The age after which a push is given up. By then, the service has asked for the state itself. */
const PUSH_LIFETIME_MS = DAY_MS
const CHECK_INTERVAL_MS = 5 * SECOND_MS
const BATCH_SIZE = 50

export function createOutbox({ store, clock, log, send }: OutboxDeps): Outbox {
  let isStopped = false
  let running: Promise<void> | undefined
  let isRequested = false
  let timer: NodeJS.Timeout | undefined

  const findDue = () =>
    store.reader
      .selectFrom('provider_pushes')
      .selectAll()
      .where('next_at', '<=', clock())
      .orderBy('next_at')
      .limit(BATCH_SIZE)
      .execute()
  type Row = Awaited<ReturnType<typeof findDue>>[number]

  /** Sets the time of the next attempt before this one, so that a push survives the end of the process. */
  const claim = ({ team_id, id, attempts, next_at }: Row) =>
    store.write(tx =>
      tx
        .updateTable('provider_pushes')
        .set({
          attempts: attempts + 1,
          next_at: clock() + RETRY_DELAYS_MS[Math.min(attempts, RETRY_DELAYS_MS.length - 1)]!,
        })
        .where('team_id', '=', team_id)
        .where('id', '=', id)
        .where('next_at', '=', next_at)
        .returning('id')
        .executeTakeFirst(),
    )

  const remove = ({ team_id, id }: Row) =>
    store.write(tx => tx.deleteFrom('provider_pushes').where('team_id', '=', team_id).where('id', '=', id).execute())

  /** @returns false if the service did not accept the push, so that others would fail, too */
  async function sendOne(row: Row): Promise<boolean> {
    const { team_id, attempts, created_at } = row
    if (!(await claim(row))) return true
    let status = 0
    let fault: object = {}
    try {
      status = await send(pushOf(row))
    } catch (error) {
      fault = describeFault(error)
    }
    // 400 is final: the same push would be rejected again.
    const isDone = status === 200 || status === 400
    if (status !== 200) log('warn', 'push_failed', { team_id, status, attempts: attempts + 1, ...fault })
    if (isDone) await remove(row)
    else if (clock() - created_at > PUSH_LIFETIME_MS) {
      log('error', 'push_given_up', { team_id, attempts: attempts + 1 })
      await remove(row)
    }
    return isDone
  }

  async function sendAll(): Promise<void> {
    for (;;) {
      isRequested = false
      const due = await findDue()
      for (const row of due) if (isStopped || !(await sendOne(row))) return
      if (due.length === 0 && !isRequested) return
    }
  }

  function sendDue(): Promise<void> {
    isRequested = true
    running ??= sendAll()
      .catch(error => log(levelOf(error), 'pushes_failed', describeFault(error)))
      .finally(() => {
        running = undefined
      })
    return running
  }

  return {
    async add(db, team, { kind, id: resource_id }) {
      if (kind !== 'payment' && kind !== 'reversal') return
      const now = clock()
      const row = { team_id: team, id: `psh_${randomText(20)}`, kind, resource_id }
      await db
        .insertInto('provider_pushes')
        .values({ ...row, attempts: 0, next_at: now, created_at: now })
        .execute()
    },
    sendDue,
    start() {
      timer = setInterval(sendDue, CHECK_INTERVAL_MS)
      void sendDue()
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}

const pushOf = ({
  id,
  kind,
  team_id,
  resource_id,
}: {
  id: string
  kind: string
  team_id: string
  resource_id: string
}) =>
  kind === 'payment'
    ? ({ id, type: 'payment.changed', team_id, payment_id: resource_id } as const)
    : ({ id, type: 'reversal.changed', team_id, reversal_id: resource_id } as const)
