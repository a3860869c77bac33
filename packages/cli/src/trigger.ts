import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { EventType } from '@causeway/sdk'
import { connect, connectionHelp, connectionOptions } from './client.js'
import { Failure, type Io, UsageError } from './io.js'
import { triggers } from './sandbox/triggers.js'
import { createSandbox } from './sandbox/world.js'

/**
 * The longest time to wait for the event, in milliseconds. The service records the event either with the change that
 * causes it or in a job soon afterward.
 */
const EVENT_TIMEOUT_MS = 15_000
const POLL_INTERVAL_MS = 200

const width = Math.max(...Object.keys(triggers).map(type => type.length))
const list = Object.entries(triggers).map(([type, { about }]) => `  ${type.padEnd(width)}  ${about}`)

/** Suggests the events that share the most words with a name, or all events if none share any. */
function suggest(name: string): string {
  const parts = name
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(part => part.length > 2)
  const shared = (type: string) =>
    parts.filter(part => type.split(/[._]/).some(word => part.startsWith(word) || word.startsWith(part)))
  const most = Math.max(...Object.keys(triggers).map(type => shared(type).length))
  const found = most === 0 ? list : list.filter((_, index) => shared(Object.keys(triggers)[index]!).length === most)
  return `${found.length === 1 ? 'this one' : 'one of'}:\n${found.join('\n')}`
}

const help = `causeway trigger <event> [options]

Triggers an event in the sandbox the way it happens in production, and prints it. Creates the required resources and does
not delete them.

${list.join('\n')}

  --entity <ent_…>     Use this person instead of a new one.
  --account <acc_…>    Use this liability account.
  --payment <pmt_…>    Use this payment.
${connectionHelp}`

export async function run(args: readonly string[], io: Io): Promise<void> {
  const own = { entity: { type: 'string' }, account: { type: 'string' }, payment: { type: 'string' } } as const
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { ...connectionOptions, ...own },
    strict: true,
    allowPositionals: true,
  })
  if (values.help) return io.out(help)
  const [type, ...more] = positionals
  if (type === undefined || more.length > 0) throw new UsageError('Specify exactly one event, such as payment.update.')
  const trigger = Object.hasOwn(triggers, type) ? triggers[type] : undefined
  if (!trigger) throw new UsageError(`${type} cannot be triggered. Use ${suggest(type)}`)

  const causeway = connect(values, io)
  const given = { entity: values.entity, account: values.account, payment: values.payment }
  const newest = (await causeway.events.list({ page_limit: 1 })).data[0]?.id ?? ''
  const id = await trigger.pull(createSandbox(causeway, given, line => io.err(line)))
  const filter = { type: type as EventType, page_limit: 1, ...(id === null ? {} : { resource_id: id }) }
  for (let waited = 0; waited < EVENT_TIMEOUT_MS; waited += POLL_INTERVAL_MS) {
    const [event] = (await causeway.events.list(filter)).data
    // Ids sort by time, so requiring a greater id excludes earlier events of the same type.
    if (event && event.id > newest) return io.out(JSON.stringify(event, null, 2))
    await wait(POLL_INTERVAL_MS, undefined, { signal: io.signal })
  }
  throw new Failure(
    `The change was made${id === null ? '' : ` to ${id}`}, but no ${type} event was recorded within ${EVENT_TIMEOUT_MS / 1_000} seconds.`,
  )
}
