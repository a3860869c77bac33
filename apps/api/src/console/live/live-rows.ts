/**
 * Announces new rows to open pages. Each process reads the latest row of each list, which finds the rows of all
 * processes, at an interval and only for teams with an open page.
 */
import { liveLists } from '@causeway/contract/endpoints/console-live'
import { ServiceError } from '@causeway/contract/errors'
import { levelOf } from '../../platform/db/fault.js'
import { describeFault } from '../../platform/log.js'
import type { Deps } from '../../platform/scope.js'
import { findLatestRows, type LatestRows } from './latest-rows.js'

/** The interval, in ms, at which lists are read. */
const READ_INTERVAL_MS = 2_000
/** The number of intervals between two comments, which show proxies and clients that the connection is open. */
const READS_PER_COMMENT = 5
const MAX_STREAMS_PER_USER = 8
const MAX_STREAMS = 200
/** The number of messages that a client may leave unread. */
const MAX_UNREAD = 20

const tables = Object.keys(liveLists) as (keyof typeof liveLists)[]

/** The page that receives a stream. */
interface Receiver {
  readonly team: string
  /** The user, whose streams are counted together. */
  readonly subject: string
  /** Returns false once the user may no longer see what the user could see when the stream began. */
  readonly isAllowed: () => Promise<boolean>
}

interface OpenStream extends Receiver {
  send(text: string): void
  close(): void
}

export interface LiveRows {
  /** Opens a stream of server-sent events. Throws TOO_MANY_REQUESTS. */
  open(receiver: Receiver): Promise<ReadableStream<Uint8Array>>
  /** Ends all streams, and opens no others. */
  stop(): void
}

const tooManyError = () =>
  new ServiceError('TOO_MANY_REQUESTS', 'Too many pages receive new rows. Close some, or reload this page.', {
    'Retry-After': '60',
  })

export function createLiveRows({ store, log }: Pick<Deps, 'store' | 'log'>): LiveRows {
  const streams = new Set<OpenStream>()
  /** The latest rows of each team with a stream. */
  const latest = new Map<string, LatestRows>()
  const encoder = new TextEncoder()
  let timer: NodeJS.Timeout | undefined
  let reads = 0
  let isReading = false
  let isStopped = false

  /** Sends a text to a stream whose user is still allowed to receive it, and ends the others. */
  async function send(stream: OpenStream, text: string): Promise<void> {
    // mutant: live-rows-end-with-session (true)
    const isAllowed = await stream.isAllowed()
    stream.send(isAllowed ? text : 'event: end\ndata: {}\n\n')
    if (!isAllowed) stream.close()
  }

  async function readTeam(team: string, isCommentDue: boolean): Promise<void> {
    const previous = latest.get(team)
    const rows = await findLatestRows(store.reader, team)
    latest.set(team, rows)
    const changed = previous ? tables.filter(table => rows[table] !== previous[table]) : []
    const lists = changed.map(table => liveLists[table])
    if (lists.length === 0 && !isCommentDue) return
    const text = lists.length === 0 ? ':\n\n' : `event: rows\ndata: ${JSON.stringify({ lists })}\n\n`
    // An OpenID provider that is slow to confirm one user does not delay the others.
    await Promise.all([...streams].filter(each => each.team === team).map(each => send(each, text)))
  }

  async function read(): Promise<void> {
    // A slow store is not asked again before it has answered.
    if (isReading) return
    isReading = true
    reads += 1
    for (const team of new Set([...streams].map(each => each.team)))
      await readTeam(team, reads % READS_PER_COMMENT === 0).catch((error: unknown) => {
        log(levelOf(error), 'live_rows_failed', { team_id: team, ...describeFault(error) })
        // The pages open streams again, and ask for their rows meanwhile.
        for (const stream of streams) if (stream.team === team) stream.close()
      })
    isReading = false
  }

  function remove(stream: OpenStream): void {
    streams.delete(stream)
    if (![...streams].some(({ team }) => team === stream.team)) latest.delete(stream.team)
    if (streams.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function rejectTooMany(subject: string): void {
    const own = [...streams].filter(each => each.subject === subject).length
    // mutant: live-rows-are-limited (false)
    if (own >= MAX_STREAMS_PER_USER || streams.size >= MAX_STREAMS) throw tooManyError()
  }

  return {
    async open(receiver) {
      rejectTooMany(receiver.subject)
      let stream: OpenStream | undefined
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          stream = {
            ...receiver,
            send(text) {
              if ((controller.desiredSize ?? 0) < -MAX_UNREAD) this.close()
              else controller.enqueue(encoder.encode(text))
            },
            close() {
              if (!streams.has(this)) return
              remove(this)
              controller.close()
            },
          }
          streams.add(stream)
          // Makes the server send the response's headers.
          stream.send(':\n\n')
        },
        cancel: () => remove(stream!),
      })
      try {
        if (!latest.has(receiver.team)) latest.set(receiver.team, await findLatestRows(store.reader, receiver.team))
      } catch (error) {
        remove(stream!)
        throw error
      }
      if (isStopped) stream!.close()
      else timer ??= setInterval(() => void read(), READ_INTERVAL_MS).unref()
      return body
    },
    stop() {
      isStopped = true
      for (const stream of streams) stream.close()
    },
  }
}
