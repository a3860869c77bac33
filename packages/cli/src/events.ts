import { parseArgs } from 'node:util'
import type { Causeway, Delivery, Event } from '@causeway/sdk'
import { connect, connectionHelp, connectionOptions } from './client.js'
import { Failure, type Io, UsageError } from './io.js'

/** The search for an event's deliveries ends this many milliseconds after the event. */
const SEARCH_PERIOD_MS = 86_400_000

const help = `causeway events resend <evt_…> [options]

Sends an event to your webhooks again, immediately and with the full retry schedule, even if it was already delivered.
Shows the id, the webhook and the previous status of each delivery.

  --webhook <whk_…>    Send only to this webhook. Default: every webhook that the event was sent to.
${connectionHelp}`

export async function run(args: readonly string[], io: Io): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { ...connectionOptions, webhook: { type: 'string' } },
    strict: true,
    allowPositionals: true,
  })
  if (values.help) return io.out(help)
  const [action, id, ...more] = positionals
  if (action !== 'resend' || id === undefined || more.length > 0)
    throw new UsageError('Specify one event, such as: causeway events resend evt_1.')
  if (!/^evt_\w+$/.test(id)) throw new UsageError(`The event must be an id such as evt_1, not ${id}.`)
  if (values.webhook !== undefined && !/^whk_\w+$/.test(values.webhook))
    throw new UsageError(`--webhook must be an id such as whk_1, not ${values.webhook}.`)

  const causeway = connect(values, io)
  const event = await causeway.events.retrieve(id)
  const webhooks = values.webhook === undefined ? await webhooksOf(causeway, event) : [values.webhook]
  let found = 0
  for (const webhook of webhooks) {
    const delivery = await deliveryOf(causeway, webhook, event)
    if (!delivery) continue
    await causeway.webhooks.deliveries.redeliver(webhook, delivery.id)
    io.out(`${delivery.id}  ${webhook}  ${delivery.status}`)
    found += 1
  }
  if (found > 0) return
  const whom = values.webhook === undefined ? 'any webhook' : values.webhook
  throw new Failure(
    `${id} (${event.type}) was not sent to ${whom}. A webhook receives only events that occur after it was created.`,
  )
}

/** Returns the ids of the webhooks that subscribe to an event's type. */
async function webhooksOf(causeway: Causeway, { type }: Event): Promise<string[]> {
  const found: string[] = []
  for await (const webhook of causeway.webhooks.list()) if (webhook.type === type) found.push(webhook.id)
  return found
}

/** Returns the delivery of an event to one webhook. */
async function deliveryOf(
  causeway: Causeway,
  webhook: string,
  { id, created_at }: Event,
): Promise<Delivery | undefined> {
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
  const at = Date.parse(created_at)
  const days = { from_date: dayOf(at), to_date: dayOf(at + SEARCH_PERIOD_MS) }
  for await (const delivery of causeway.webhooks.deliveries.list(webhook, days))
    if (delivery.event_id === id) return delivery
  return undefined
}
