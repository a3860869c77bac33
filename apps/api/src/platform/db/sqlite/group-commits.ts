import { setTimeout as pause } from 'node:timers/promises'
import { SLICE_MS, yieldToConnections } from '../../event-loop.js'
import { command } from '../compiled-query.js'
import { StoreFault, toTransactionFault } from '../fault.js'
import type { Db, Store } from '../types.js'
import { createMember } from './driver.js'

const beginImmediate = command('begin immediate')
const commit = command('commit')
const rollback = command('rollback')
const beginSavepoint = command('savepoint member')
const releaseSavepoint = command('release savepoint member')
const rollBackSavepoint = command('rollback to savepoint member')

/** The maximum number of writers that share a commit. The last writer waits for all the others. */
export const MAX_COMMIT_MEMBERS = 64

/** The maximum time in ms to wait while another process, such as an operator command, holds the file's write lock. */
const LOCK_TIMEOUT_MS = 5_000

/** Begins a transaction. While another process holds the write lock, the service still responds to other requests. */
async function begin(db: Db): Promise<void> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS
  for (;;) {
    try {
      await beginImmediate(db)
      return
    } catch (error) {
      if (!(error instanceof StoreFault && error.code === 'SQLITE_BUSY') || performance.now() > deadline) throw error
      await pause(10)
    }
  }
}

interface QueuedWrite {
  work: (tx: Db) => Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/**
 * Lets concurrent writers share one commit, because syncing to disk costs more than the writers' own work. Each writer
 * has its own savepoint, so an error undoes only that writer's work. Every writer, even one whose work failed, receives
 * its result after the commit, because the result may depend on another writer's changes in the group.
 * @param db a connection that no other code uses for writes
 */
export function groupCommits(db: Db): Store['write'] {
  const queue: QueuedWrite[] = []
  let isRunning = false

  async function commitGroup(): Promise<void> {
    const members = queue.splice(0, MAX_COMMIT_MEMBERS)
    const settlements: (() => void)[] = []
    try {
      await begin(db)
      let sliceEndsAt = performance.now() + SLICE_MS
      for (const { work, resolve, reject } of members) {
        // Statements run synchronously, so without a pause, new connections would wait for the whole group.
        if (performance.now() > sliceEndsAt) {
          await yieldToConnections()
          sliceEndsAt = performance.now() + SLICE_MS
        }
        await beginSavepoint(db)
        const member = createMember(db)
        try {
          const value = await work(member.tx)
          settlements.push(() => resolve(value))
        } catch (error) {
          // If the rollback to the savepoint fails, the engine has already rolled back the whole transaction, as it
          // does when the disk is full. Every writer in the group must then fail with the original cause.
          await rollBackSavepoint(db).catch(second => {
            throw error instanceof StoreFault ? error : toTransactionFault(second)
          })
          settlements.push(() => reject(error))
        } finally {
          member.end()
        }
        await releaseSavepoint(db)
      }
      await commit(db)
      for (const settle of settlements) settle()
    } catch (error) {
      // The engine may already have rolled back.
      await rollback(db).catch(() => {})
      // The members' own errors are handled above, so this one is the store's.
      const fault = toTransactionFault(error)
      for (const { reject } of members) reject(fault)
    }
  }

  async function drain(): Promise<void> {
    // Yields between groups so that requests that arrived during a commit can join the next group.
    for (; queue.length > 0; await yieldToConnections()) await commitGroup()
    isRunning = false
  }

  return work =>
    new Promise((resolve, reject) => {
      queue.push({ work, resolve: resolve as (value: unknown) => void, reject })
      if (isRunning) return
      isRunning = true
      // Starts after the current turn of the event loop. Statements run synchronously, so only work that arrives in the
      // same turn can be grouped.
      setImmediate(() => void drain())
    })
}
