import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type CausewayError, type Event, signWebhook } from '@causeway/sdk'
import { connect, connectionHelp, connectionOptions } from './client.js'
import { type Io, UsageError } from './io.js'
import { readWatchOptions, watchHelp, watchOptions } from './options.js'
import { payloadOf } from './payload.js'
import { watch } from './watch-items.js'

/** The service's timeout for a webhook response, in milliseconds. */
const FORWARD_TIMEOUT_MS = 5_000

const help = `causeway listen --to <url> [options]

Forwards events to a local URL as they happen, until you press Ctrl-C. Events are sent and signed like webhooks, so you
can test your endpoint before the service can reach it. Each event is sent once, regardless of the response. Events use
the latest API version; webhooks use the team's version.

  --to <url>           The URL of your endpoint, such as http://localhost:3000/hooks.
  --secret <secret>    The signing secret. Default: a new secret, which is printed.
  --expand             Send the full event instead of its id, as with expand_event.
${watchHelp}
${connectionHelp}`

export async function run(args: readonly string[], io: Io): Promise<void> {
  const own = {
    to: { type: 'string' },
    secret: { type: 'string' },
    expand: { type: 'boolean', default: false },
  } as const
  const { values } = parseArgs({
    args: [...args],
    options: { ...connectionOptions, ...watchOptions, ...own },
    strict: true,
  })
  if (values.help) return io.out(help)
  const to = readAddress(values.to)
  const causeway = connect(values, io)
  const secret = values.secret || `whsec_${randomBytes(32).toString('base64')}`
  const ready = () => {
    io.err(`Forwarding to ${to.href}. Press Ctrl-C to stop. Deliveries are signed with:`)
    io.out(secret)
  }
  const trouble = ({ message }: CausewayError) => io.err(`${message} Retrying.`)
  for await (const event of watch({ ...readWatchOptions(causeway, values), signal: io.signal, ready, trouble })) {
    const body = JSON.stringify(payloadOf(event, values.expand))
    io.out(
      `${event.created_at}  ${event.type}  ${event.resource_id}  ${await forward(to, event, body, secret, io.signal)}`,
    )
  }
}

function readAddress(to: string | undefined): URL {
  if (to === undefined) throw new UsageError('--to is required, such as --to http://localhost:3000/hooks.')
  const url = URL.canParse(to) ? new URL(to) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--to must be a URL such as http://localhost:3000/hooks, not ${to}.`)
  return url
}

/** Sends an event once. @returns a description of the outcome */
async function forward(to: URL, { id }: Event, body: string, secret: string, signal: AbortSignal): Promise<string> {
  const headers = await signWebhook({ body, secret, id: `dlv_${id.slice('evt_'.length)}` })
  const both = AbortSignal.any([signal, AbortSignal.timeout(FORWARD_TIMEOUT_MS)])
  try {
    const answer = await fetch(to, { method: 'POST', body, headers, redirect: 'manual', signal: both })
    await answer.body?.cancel()
    return `${answer.ok ? 'delivered' : 'rejected'} (${answer.status})`
  } catch (error) {
    if (signal.aborted) throw error
    return both.aborted ? 'no response within 5 seconds' : 'connection failed'
  }
}
