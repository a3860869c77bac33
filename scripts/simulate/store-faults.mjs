/** Runs the service's statements, and kills processes and fails statements while it does. */
import { NativeDatabase, simulation } from './sqlite.mjs'
import { Killed, LONG_PAUSE_MS } from './world.mjs'

const failures = {
  SQLITE_BUSY: { errcode: 5, message: 'database is locked' },
  SQLITE_FULL: { errcode: 13, message: 'database or disk is full' },
  SQLITE_IOERR: { errcode: 10, message: 'disk I/O error' },
}
const failure = name =>
  Object.assign(new Error(failures[name].message), {
    code: 'ERR_SQLITE_ERROR',
    errcode: failures[name].errcode,
    sqliteCodeName: name,
  })

/** The tables whose changes are shown with an id. */
const shownTables = new Set(['payments', 'reversals', 'sessions', 'tokens', 'deliveries', 'entities', 'accounts'])
const idPattern = /^(?!team)[a-z]+_[0-9A-Za-z]{13,}$/

/**
 * The factor by which pauses are more frequent while payments are stopped. The jobs that then hold payments are the only ones whose
 * effects nothing but their lease protects.
 */
const STOPPED_FACTOR = 30
/** The last of the followed tables that the migrations create. */
const LAST_TABLE = 'payees'

const changePattern = /^(insert into|update|delete from) "(\w+)"/
/** The duration of a long outage of the disk, in ms. A job that fails eight times in a row needs about 13 minutes. */
const OUTAGE_MS = 14 * 60_000

/** The start sets all leases free, because a SQLite file has one owner. Several simulated processes share a file. */
const FREE_LEASES = 'update "jobs" set "lease_until" = ? where "lease_owner" is not null'

/**
 * @param file the store
 * @param isShared true if several processes use it
 * @param stop `since` is the time since which payments are stopped, or null
 * @param follow returns the follower of a connection's statements: see `statuses.mjs` and `leases.mjs`
 */
export function simulateStore({ world, faults, random, timeline, file, isShared, countAlive, stop, follow }) {
  /** The connection that has the write lock. */
  let writer
  let changes = new Map()
  const state = { statements: 0, commits: 0 }
  /** The virtual time until which the disk is full. */
  let fullUntil = Number.NEGATIVE_INFINITY

  function describeCommit(who) {
    if (changes.size === 0) return
    const tables = [...changes].map(([what, count]) => (count > 1 ? `${what} ×${count}` : what))
    timeline.note(who, `commit: ${tables.join(', ')}`)
    changes = new Map()
  }

  function release(database) {
    if (writer !== database) return
    writer = undefined
    changes = new Map()
    database.follower?.end(false)
  }

  /** Runs a statement and keeps track of the write lock. */
  function perform(database, sql, values, run) {
    if (sql === 'begin immediate') {
      if (writer && writer !== database) throw failure('SQLITE_BUSY')
      // Before the latest migration, there is nothing to follow.
      if (!database.follower && database.hasTable(LAST_TABLE)) database.follower = follow(database)
      const result = run()
      writer = database
      return result
    }
    const result = database.follower ? database.follower.run(sql, values, run) : run()
    // This setting drops the triggers of the connection.
    if (sql.startsWith('pragma temp_store')) database.follower = undefined
    if (sql === 'commit') {
      state.commits += 1
      describeCommit(database.owner.name)
      database.follower?.end(true)
      release(database)
    } else if (sql === 'rollback') release(database)
    else {
      database.follower?.statement(sql)
      const [, what, table] = changePattern.exec(sql) ?? []
      if (table) {
        const id = shownTables.has(table) && values.find(value => idPattern.test(value))
        const change = `${what.split(' ')[0]} ${table}${id ? ` ${id}` : ''}`
        changes.set(change, (changes.get(change) ?? 0) + 1)
      }
    }
    return result
  }

  /** Ends the transaction as the engine does after some failures. */
  function rollBack(database) {
    database.rollBack()
    release(database)
  }

  simulation.opened = database => {
    database.owner = world.current
    world.current.databases?.add(database)
  }

  simulation.statement = (database, sql, values, run) => {
    const { owner } = database
    if (!owner.isAlive) throw new Killed()
    if (database.file !== file) return isShared && database.file.endsWith('.lock') ? undefined : run()
    state.statements += 1
    // The id of one of Plaid's webhooks comes from its signature, which no seed determines.
    const shown = sql.includes('"provider_hooks"') ? '' : JSON.stringify(values)
    timeline.mix(`${world.now().toFixed(3)} ${owner.name} ${sql} ${shown}`)
    world.spend(random.next() * random.next() * 3)
    const isCommit = sql === 'commit'
    if (faults.areOn && owner.kill) {
      if (faults.hit('kill a process at a statement', owner.name)) {
        // One half of the kills happens after the statement.
        if (random.chance(0.5)) perform(database, sql, values, run)
        owner.kill(isCommit ? 'at a commit' : `at ${sql.slice(0, 60)}`)
        throw new Killed()
      }
      if (sql === 'begin immediate') {
        if (faults.hit('refuse a lock', owner.name)) throw failure('SQLITE_BUSY')
        // The process tries again after the pause. By then, others may have taken over its jobs.
        if (faults.hit('pause a process before a transaction', owner.name, stop.since === null ? 1 : STOPPED_FACTOR)) {
          world.pause(owner, random.whole(...LONG_PAUSE_MS))
          throw failure('SQLITE_BUSY')
        }
      }
      if (isCommit) {
        if (faults.hit('fail a commit', owner.name)) {
          if (random.chance(0.5)) rollBack(database)
          throw failure('SQLITE_FULL')
        }
        if (faults.hit('lose the answer to a commit', owner.name)) {
          perform(database, sql, values, run)
          throw failure('SQLITE_IOERR')
        }
      } else if (sql !== 'rollback' && !sql.startsWith('pragma')) {
        // A full disk fails the statements that need new pages. Updates of existing rows still work.
        if (world.now() < fullUntil && sql.startsWith('insert') && random.chance(0.9)) {
          if (database.isTransaction && random.chance(0.5)) rollBack(database)
          throw failure('SQLITE_FULL')
        }
        if (faults.hit('fail a statement because the disk is full', owner.name)) {
          if (database.isTransaction && random.chance(0.5)) rollBack(database)
          throw failure('SQLITE_FULL')
        }
        if (faults.hit('fail a statement because of an I/O error', owner.name)) throw failure('SQLITE_IOERR')
      }
    }
    if (isShared && sql === FREE_LEASES && countAlive() > 1) return { changes: 0 }
    return perform(database, sql, values, run)
  }

  let reader
  const prepared = new Map()
  return {
    state,
    /** Makes the disk full for a while. Runs once a virtual second. */
    disturb() {
      if (faults.hit('fill the disk for a while', 'disk')) fullUntil = world.now() + random.whole(1_000, 40_000)
      if (world.now() > fullUntil && faults.hit('fill the disk for minutes', 'disk'))
        fullUntil = world.now() + OUTAGE_MS
    },
    /** Frees the write lock of a dead process. */
    release,
    /** Returns committed rows, past the service. */
    query(sql, ...values) {
      reader ??= new NativeDatabase(file)
      if (!prepared.has(sql)) prepared.set(sql, reader.prepare(sql))
      return prepared.get(sql).all(...values)
    },
    close() {
      reader?.close()
    },
  }
}
