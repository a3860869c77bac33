import { type Causeway, CausewayError, VerificationError, type VerifiedWebhook, verifyWebhook } from '@causeway/sdk'
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Application, Applications } from './applications.js'

/** The event types that this lender subscribes to. */
const types = ['opal_session.update', 'payment.update'] as const
/** The number of delivery ids to remember, because the same delivery can arrive twice. */
const MAX_REMEMBERED_DELIVERIES = 1_000
/** The interval, in milliseconds, between keep-alive lines, which prevent proxies from closing the stream. */
const KEEP_ALIVE_INTERVAL_MS = 20_000

/**
 * Subscribes a URL to session and payment updates, signed with a secret. Existing webhooks get the new secret.
 * @returns the reason if the service rejects the URL; otherwise null
 */
export async function subscribeToWebhooks(causeway: Causeway, url: string, secret: string): Promise<string | null> {
  const { data: known } = await causeway.webhooks.list()
  try {
    for (const type of types) {
      const hook = known.find(each => each.url === url && each.type === type)
      if (!hook) await causeway.webhooks.create({ type, url, hmac_secret: secret })
      else {
        await causeway.webhooks.rotate(hook.id, { hmac_secret: secret })
        await causeway.webhooks.update(hook.id, { status: 'active' })
      }
    }
    return null
  } catch (error) {
    if (error instanceof CausewayError && error.sub_type === 'INVALID_REQUEST') return error.message
    throw error
  }
}

interface WebhookDeps {
  causeway: Causeway
  applications: Applications
  secret: string
  now: () => Date
}

/** Receives webhooks and notifies the pages that show the changed application. */
export function createWebhookRoutes({ causeway, applications, secret, now }: WebhookDeps): Hono {
  const listeners = new Set<() => void>()
  const seen = new Set<string>()

  /**
   * Returns the application that a delivery refers to. A delivery reports only that something changed. The current data
   * is read from the service.
   */
  async function applicationOf({ type, id }: VerifiedWebhook): Promise<Application | undefined> {
    const all = applications.newestFirst()
    if (type === 'opal_session.update') return all.find(each => each.session_id === id)
    const payment = await causeway.payments.retrieve(id)
    const holder = payment.destination && (await causeway.accounts.retrieve(String(payment.destination))).holder_id
    return all.find(each => each.entity_id === holder)
  }

  return (
    new Hono()
      .post('/webhooks', async c => {
        let told: VerifiedWebhook
        try {
          told = await verifyWebhook({
            body: await c.req.text(),
            headers: c.req.raw.headers,
            secret,
            now: () => now().getTime(),
          })
        } catch (error) {
          if (!(error instanceof VerificationError)) throw error
          return c.json({ message: error.message }, 400)
        }
        if (seen.has(told.delivery_id)) return c.body(null, 204)
        const application = await applicationOf(told)
        // Record the delivery only after success, because the service resends failed deliveries.
        seen.add(told.delivery_id)
        if (seen.size > MAX_REMEMBERED_DELIVERIES) seen.delete([...seen][0]!)
        if (application) {
          applications.change(application, { told: application.told + 1 })
          for (const tell of listeners) tell()
        }
        return c.body(null, 204)
      })

      // Sends the number of changes immediately and again after each change, so that pages that connect late miss
      // nothing.
      .get('/news', c =>
        streamSSE(c, async stream => {
          const tell = () => void stream.writeSSE({ data: String(applications.told(c.req.query('of'))) })
          listeners.add(tell)
          stream.onAbort(() => {
            listeners.delete(tell)
          })
          tell()
          while (!stream.aborted) {
            await stream.write(': here\n\n')
            await stream.sleep(KEEP_ALIVE_INTERVAL_MS)
          }
        }),
      )
  )
}
