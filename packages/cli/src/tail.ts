import { parseArgs } from 'node:util'
import type { CausewayError } from '@causeway/sdk'
import { common, commonHelp, connect } from './client.js'
import type { Io } from './io.js'
import { readWatching, watching, watchingHelp } from './options.js'
import { watch } from './watch.js'

const help = `causeway tail [options]

Shows events as they happen, until Ctrl-C: when, what, of which resource, and the event's id. The service lists no
requests, so it is what they caused that is shown.

${watchingHelp}
  --json               Each event whole, as one line of JSON.
${commonHelp}`

export async function run(args: readonly string[], io: Io): Promise<void> {
  const options = { ...common, ...watching, json: { type: 'boolean' } } as const
  const { values } = parseArgs({ args: [...args], options, strict: true })
  if (values.help) return io.out(help)
  const causeway = connect(values, io)
  const ready = () => io.err('Watching for events. Ctrl-C ends it.')
  const trouble = ({ message }: CausewayError) => io.err(`${message} Trying again.`)
  for await (const event of watch({ causeway, ...readWatching(values), signal: io.signal, ready, trouble }))
    io.out(
      values.json ? JSON.stringify(event) : `${event.created_at}  ${event.type}  ${event.resource_id}  ${event.id}`,
    )
}
