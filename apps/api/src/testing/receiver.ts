/** Test helper that receives webhook calls without using a network. */
import type { Outbound, OutboundCall, OutboundFault } from '../platform/outbound/outbound.js'
import { OutboundError } from '../platform/outbound/outbound.js'

type Reply = number | { status: number; headers?: Record<string, string>; body?: string } | OutboundFault

export interface Receiver {
  outbound: Outbound
  /** The received calls, in order. */
  calls: (OutboundCall & { json: Record<string, unknown> })[]
  /**
   * Sets the responses to the next calls, in order. Applies to all calls, or only to calls to URLs that contain the
   * given text. Later calls receive a 200.
   */
  reply(replies: Reply[], at?: string): void
  /** Sets the response to all further calls to a URL. Null restores the default. */
  always(at: string, reply: Reply | null): void
  /** Blocks calls to a URL until the returned function is called. */
  hold(at: string): () => void
}

export function createReceiver(): Receiver {
  const calls: Receiver['calls'] = []
  const queues = new Map<string, Reply[]>()
  const fixedReplies = new Map<string, Reply>()
  const heldCalls = new Map<string, Promise<void>>()
  const match = <T>(map: Map<string, T>, url: string) => [...map].find(([at]) => url.includes(at))?.[1]
  return {
    calls,
    reply: (replies, at = '') => queues.set(at, [...replies]),
    always: (at, reply) => (reply === null ? fixedReplies.delete(at) : fixedReplies.set(at, reply)),
    hold(at) {
      let release = () => {}
      heldCalls.set(
        at,
        new Promise(resolve => {
          release = () => {
            heldCalls.delete(at)
            resolve()
          }
        }),
      )
      return release
    },
    outbound: {
      loopback: true,
      admits: () => true,
      async call(call) {
        calls.push({ ...call, json: JSON.parse(call.body ?? '{}') as Record<string, unknown> })
        await match(heldCalls, call.url)
        const reply = match(fixedReplies, call.url) ?? match(queues, call.url)?.shift() ?? 200
        if (typeof reply === 'string') throw new OutboundError(reply)
        const { status, headers = {}, body = '' } = typeof reply === 'number' ? { status: reply } : reply
        const headersByName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
        return {
          status,
          headers: Object.fromEntries(headersByName),
          header: name => headersByName.get(name.toLowerCase()) ?? null,
          body: Buffer.from(body),
        }
      },
    },
  }
}
