import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'

/** A lookup that has not run yet. */
export interface PendingLookup {
  query: CompiledQuery
  resolve(result: QueryResult<unknown>): void
  reject(error: unknown): void
}

/** A connection that can run several lookups in one packet. */
interface LookupConnection extends DatabaseConnection {
  /** @returns the lookups that must run again, each alone */
  lookUp(lookups: readonly PendingLookup[]): Promise<readonly PendingLookup[]>
  release(): void
}

/** The maximum number of lookups that share a packet. A slow lookup delays those after it. */
export const MAX_PACKET_LOOKUPS = 8

/**
 * Runs lookups outside transactions. Lookups that start in the same turn of the event loop share packets and
 * connections. Each has its own result, and an error of one doesn't affect the others.
 */
export class Lookups {
  readonly #connect: () => Promise<LookupConnection>
  readonly #maxPerPacket: number
  #waiting: PendingLookup[] = []

  /** @param maxPerPacket the maximum number of lookups that share a packet */
  constructor(connect: () => Promise<LookupConnection>, maxPerPacket: number) {
    this.#connect = connect
    this.#maxPerPacket = maxPerPacket
  }

  run(query: CompiledQuery): Promise<QueryResult<unknown>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ query, resolve, reject })
      if (this.#waiting.length === 1) setImmediate(() => this.#start())
    })
  }

  #start(): void {
    const lookups = this.#waiting
    this.#waiting = []
    for (let start = 0; start < lookups.length; start += this.#maxPerPacket) {
      const batch = lookups.slice(start, start + this.#maxPerPacket)
      void (batch.length === 1 ? this.#alone(batch[0]!) : this.#share(batch))
    }
  }

  async #share(lookups: readonly PendingLookup[]): Promise<void> {
    try {
      const connection = await this.#connect()
      const retries = await connection.lookUp(lookups)
      connection.release()
      for (const lookup of retries) void this.#alone(lookup)
    } catch (error) {
      for (const { reject } of lookups) reject(error)
    }
  }

  async #alone({ query, resolve, reject }: PendingLookup): Promise<void> {
    try {
      const connection = await this.#connect()
      await connection
        .executeQuery(query)
        .then(resolve, reject)
        .finally(() => connection.release())
    } catch (error) {
      reject(error)
    }
  }
}
