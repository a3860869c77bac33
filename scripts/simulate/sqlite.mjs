/**
 * SQLite as the simulated service uses it. Every statement first goes to the simulation, which may kill the process, or
 * make the statement fail, before or after it runs.
 */
import { createRequire } from 'node:module'

const require = createRequire(new URL('../../apps/api/package.json', import.meta.url))
const native = require('@photostructure/sqlite')

/** The native class, for the simulation's own look at the store. */
export const NativeDatabase = native.DatabaseSync

/** `statement(database, sql, parameters, run)` runs a statement of the service. Set by the simulation. */
export const simulation = { statement: (_database, _sql, _parameters, run) => run(), opened() {} }

class Statement {
  #database
  #sql
  #native
  constructor(database, sql, statement) {
    this.#database = database
    this.#sql = sql
    this.#native = statement
  }
  setReturnArrays(isArray) {
    this.#native.setReturnArrays(isArray)
  }
  columns() {
    return this.#native.columns()
  }
  run(...values) {
    return simulation.statement(this.#database, this.#sql, values, () => this.#native.run(...values))
  }
  all(...values) {
    return simulation.statement(this.#database, this.#sql, values, () => this.#native.all(...values))
  }
  get(...values) {
    return simulation.statement(this.#database, this.#sql, values, () => this.#native.get(...values))
  }
}

export class DatabaseSync {
  #native
  #owner
  isOpen = true
  constructor(file) {
    this.file = file
    this.#native = new NativeDatabase(file, { timeout: 0 })
    simulation.opened(this)
  }
  get isTransaction() {
    return this.isOpen && this.#native.isTransaction
  }
  exec(sql) {
    // The simulation never cuts the power, so waiting for the disk would only take time.
    const text = sql.replace('pragma synchronous = full', 'pragma synchronous = off')
    simulation.statement(this, text, [], () => this.#native.exec(text))
  }
  /** Adds triggers of this connection only, which call functions. @param functions the functions, by name */
  watch(functions, triggers) {
    for (const [name, listener] of Object.entries(functions))
      this.#native.function(name, { varargs: true }, (...values) => {
        listener(...values)
        return null
      })
    for (const trigger of triggers) this.#native.exec(trigger)
  }
  /** Returns the name under which a job is claimed, or null. */
  ownerOf(job) {
    this.#owner ??= this.#native.prepare('select lease_owner from jobs where id = ?')
    return this.#owner.get(job)?.lease_owner ?? null
  }
  /** True if the file contains a table. */
  hasTable(name) {
    return this.#native.prepare('select 1 from sqlite_master where name = ?').get(name) !== undefined
  }
  /** Ends the transaction as the engine does after a failure. */
  rollBack() {
    if (this.#native.isTransaction) this.#native.exec('rollback')
  }
  prepare(sql) {
    return new Statement(this, sql, this.#native.prepare(sql))
  }
  close() {
    if (!this.isOpen) return
    this.isOpen = false
    this.#native.close()
  }
  /** Ends the transaction and closes the file, as the operating system does for a dead process. */
  abandon() {
    if (!this.isOpen) return
    this.rollBack()
    this.close()
  }
}
