import { parseArgs } from 'node:util'
import type { CausewayError } from '@causeway/sdk'
import { connect, connectionHelp, connectionOptions } from './client.js'
import type { Io } from './io.js'
import { readWatchOptions, watchHelp, watchOptions } from './options.js'
import { watch } from './watch-items.js'

const help = `causeway tail [options]

Shows events as they happen, until you press Ctrl-C: the time, the type, the id of the resource and the id of the event.

${watchHelp}
  --json               Show each event as one line of JSON.
${connectionHelp}`

export async function run(args: readonly string[], io: Io): Promise<void> {
  const options = { ...connectionOptions, ...watchOptions, json: { type: 'boolean' } } as const
  const { values } = parseArgs({ args: [...args], options, strict: true })
  if (values.help) return io.out(help)
  const causeway = connect(values, io)
  const ready = () => io.err('Watching for events. Press Ctrl-C to stop.')
  const trouble = ({ message }: CausewayError) => io.err(`${message} Retrying.`)
  for await (const event of watch({ ...readWatchOptions(causeway, values), signal: io.signal, ready, trouble }))
    io.out(
      values.json ? JSON.stringify(event) : `${event.created_at}  ${event.type}  ${event.resource_id}  ${event.id}`,
    )
}
