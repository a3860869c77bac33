import { parseArgs } from 'node:util'
import type { CausewayError, Request } from '@causeway/sdk'
import { connect, connectionHelp, connectionOptions } from './client.js'
import { type Io, UsageError } from './io.js'
import { pollHelp, pollOptions, readInterval } from './options.js'
import { watch } from './watch-items.js'

const help = `causeway logs tail [options]

Shows the requests of the team as they are made, until you press Ctrl-C: the time, the method, the route, the status,
the error, the duration and the id. A request appears about a second after its response. Omits \`GET /requests\`.

  --failed             Only requests that were rejected or failed.
${pollHelp}
  --json               Show each request as one line of JSON.
${connectionHelp}`

export async function run(args: readonly string[], io: Io): Promise<void> {
  const own = { failed: { type: 'boolean' }, json: { type: 'boolean' } } as const
  const options = { ...connectionOptions, ...pollOptions, ...own }
  const { values, positionals } = parseArgs({ args: [...args], options, strict: true, allowPositionals: true })
  if (values.help) return io.out(help)
  if (positionals.length !== 1 || positionals[0] !== 'tail')
    throw new UsageError('A subcommand is required: causeway logs tail.')
  const interval = readInterval(values.interval)
  const causeway = connect(values, io)
  const failed = values.failed ? { outcome: 'failed' as const } : {}
  const requests = watch({
    list: signal => causeway.requests.list(failed, { signal }),
    wants: ({ method, route }: Request) => method !== 'GET' || route !== '/requests',
    interval,
    signal: io.signal,
    ready: () => io.err('Watching for requests. Press Ctrl-C to stop.'),
    trouble: ({ message }: CausewayError) => io.err(`${message} Retrying.`),
  })
  for await (const each of requests) io.out(values.json ? JSON.stringify(each) : lineOf(each))
}

const lineOf = ({ created_at, method, route, status, sub_type, ms, id }: Request): string =>
  [created_at, `${method} ${route}`, status, ...(sub_type === null ? [] : [sub_type]), `${ms} ms`, id].join('  ')
