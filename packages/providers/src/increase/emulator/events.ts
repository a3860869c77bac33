/** Events of the emulated bank, and the webhooks that tell about them. */
import type Increase from 'increase'
import { Webhook } from 'standardwebhooks'
import { type Bank, iso } from './bank.js'

/** A signed webhook, ready to be sent. */
export interface Delivery {
  url: string
  headers: Record<string, string>
  body: string
}

interface Unsent {
  url: string
  secret: string
  id: string
  body: string
}

/** Faults in the delivery of webhooks. Increase promises neither their order nor that each comes once. */
export interface DeliveryFaults {
  /** Sends each webhook twice. */
  twice: boolean
  /** Sends the latest webhook first. */
  reversed: boolean
}

interface Subscription {
  object: Increase.EventSubscription
  secret: string
}

export class Events {
  readonly events: Increase.Event[] = []
  readonly subscriptions: Subscription[] = []
  readonly #bank: Bank
  #unsent: Unsent[] = []

  constructor(bank: Bank) {
    this.#bank = bank
  }

  subscribe(url: string, secret: string, categories: string[] | null = null, key: string | null = null) {
    const object = {
      id: this.#bank.nextId('event_subscription'),
      created_at: iso(this.#bank.now()),
      idempotency_key: key,
      oauth_connection_id: null,
      selected_event_categories: categories && (categories.map(event_category => ({ event_category })) as never),
      status: 'active',
      type: 'event_subscription',
      url,
    } satisfies Increase.EventSubscription
    this.subscriptions.push({ object, secret })
    return object
  }

  emit(category: string, object: string): void {
    const at = this.#bank.now()
    const event = {
      id: this.#bank.nextId('event'),
      associated_object_id: object,
      associated_object_type: category.split('.')[0]!,
      category: category as Increase.Event['category'],
      created_at: iso(at),
      type: 'event',
    } satisfies Increase.Event
    this.events.push(event)
    const body = JSON.stringify(event)
    for (const { object: subscription, secret } of this.subscriptions) {
      const selected = subscription.selected_event_categories
      if (subscription.status !== 'active') continue
      if (selected && !selected.some(({ event_category }) => event_category === category)) continue
      const id = event.id.replace('event_', 'msg_')
      this.#unsent.push({ url: subscription.url, secret, id, body })
    }
  }

  /** Signs a webhook at the time at which it is sent. */
  #sign({ url, secret, id, body }: Unsent): Delivery {
    const at = this.#bank.now()
    return {
      url,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at / 1_000)),
        'webhook-signature': new Webhook(Buffer.from(secret), { format: 'raw' }).sign(id, new Date(at), body),
      },
      body,
    }
  }

  /** Returns the webhooks that were not sent yet, as the faults say. */
  take({ twice, reversed }: DeliveryFaults): Delivery[] {
    const signed = this.#unsent.map(each => this.#sign(each))
    const deliveries = twice ? signed.flatMap(each => [each, each]) : signed
    this.#unsent = []
    return reversed ? [...deliveries].reverse() : deliveries
  }
}
