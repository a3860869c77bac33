import type { ReturnReason } from '../codes.js'
import { returnCodes } from '../codes.js'
import { Bank } from './bank.js'
import { type Delivery, type DeliveryFaults, Events } from './events.js'
import { type ApiError, invalid, makeAch, makeCard, makeCheck, makeInternal, notAllowed, notFound } from './requests.js'
import { type Ach, type Check, type Notice, type Transfer, Transfers } from './transfers.js'

export interface EmulatorOptions {
  now?: () => number
  /** The number of times that transfers move faster than at the real bank. */
  speed?: number
  apiKey?: string
  tokenizationKey?: string
  /** The accounts to open. The first one is the lender's. */
  accounts?: readonly { name: string; balance: number; routing: string; number: string }[]
  /** The event subscription to begin with. */
  webhooks?: { url: string; secret: string }
  /** Sends webhooks before the answer to the request that caused them. Without it, they wait for `takeWebhooks`. */
  sendEarly?: (delivery: Delivery) => Promise<void>
}

export interface IncreaseEmulator {
  answer(request: Request): Promise<Response>
  /** The ids of the accounts, in the order in which they were opened. */
  accounts: readonly string[]
  bank: Bank
  transfers: Transfers
  events: Events
  /** Moves the clock forward. Transfers move along. */
  forward(ms: number): void
  /** Returns the webhooks that were not sent yet. */
  takeWebhooks(faults?: Partial<DeliveryFaults>): Delivery[]
  /** Answers the next requests with 429. */
  limitNext(requests: number): void
  /** The time, in ms, that passes before look-ups by idempotency key find a new transfer. */
  setLag(ms: number): void
}

/** The keys that are known, with the request that each belongs to. */
interface KeyEntry {
  id: string
  path: string
  body: string
}

type Answer = { body: object; headers?: Record<string, string> } | ApiError

const collections = {
  ach_transfers: { prefix: 'ach_transfer_', make: makeAch },
  check_transfers: { prefix: 'check_transfer_', make: makeCheck },
  card_push_transfers: { prefix: 'card_push_transfer_', make: makeCard },
  account_transfers: { prefix: 'account_transfer_', make: makeInternal },
} as const
type Collection = keyof typeof collections

const MAX_PAGE_SIZE = 100

const emulatedAccounts = [{ name: 'Lender', balance: 1_000_000_00, routing: '101050001', number: '987654321' }]

/**
 * Creates a bank with Increase's API, in memory. It keeps balances, moves transfers as its clock moves, and signs
 * webhooks.
 */
export function createIncreaseEmulator({
  now = Date.now,
  speed = 1,
  apiKey = 'emulator_api_key',
  tokenizationKey = 'emulator_tokenization_key',
  accounts = emulatedAccounts,
  webhooks,
  sendEarly,
}: EmulatorOptions = {}): IncreaseEmulator {
  const bank = new Bank({ now, speed })
  const events = new Events(bank)
  const transfers = new Transfers(bank, events)
  const keys = new Map<string, KeyEntry>()
  const ids = accounts.map(each => bank.openAccount(each.name, each.balance, each.routing, each.number))
  if (webhooks) events.subscribe(webhooks.url, webhooks.secret)
  let limited = 0
  let lagMs = 0

  function create(collection: Collection, body: Record<string, unknown>, key: string | null): Answer {
    const known = key === null ? undefined : keys.get(key)
    const text = JSON.stringify(body)
    if (known) {
      if (known.path === collection && known.body === text)
        return { body: transfers.all.get(known.id)!, headers: { 'idempotent-replayed': 'true' } }
      return {
        status: 409,
        type: 'idempotency_key_already_used_error',
        title: 'The idempotency key was already used for another object.',
        resource_id: known.id,
      }
    }
    const { transfer, error } = collections[collection].make(bank, body, key)
    if (!transfer) return error
    if (key !== null) keys.set(key, { id: transfer.id, path: collection, body: text })
    transfers.add(transfer)
    return { body: transfer }
  }

  function listTransfers(collection: Collection, query: URLSearchParams): object[] {
    const key = query.get('idempotency_key')
    const { prefix } = collections[collection]
    if (key !== null) {
      const transfer = transfers.all.get(keys.get(key)?.id ?? '')
      const isVisible = transfer?.id.startsWith(prefix) && Date.parse(transfer.created_at) + lagMs <= bank.now()
      return transfer && isVisible ? [transfer] : []
    }
    return [...transfers.all.values()].filter(({ id }) => id.startsWith(prefix)).reverse()
  }

  function act(transfer: Transfer, action: string, body: Record<string, unknown>): Answer {
    const isDone =
      action === 'approve'
        ? transfers.approve(transfer)
        : action === 'cancel'
          ? transfers.cancel(transfer)
          : action === 'stop_payment' && transfer.type === 'check_transfer'
            ? transfers.stop(transfer, (body['reason'] ?? 'unknown') as 'unknown')
            : null
    if (isDone === null) return notFound()
    return isDone ? { body: transfer } : notAllowed(`The transfer is ${transfer.status}.`)
  }

  /**
   * Exchanges a card's number for a token. The issuers of cards that end with 0002 decline every payment, and those of
   * cards that end with 0003 accept none.
   */
  function tokenize({
    primary_account_number: number,
    expiration_month,
    expiration_year,
  }: Record<string, unknown>): Answer {
    if (!/^\d{12,19}$/.test(String(number))) return invalid('primary_account_number')
    if (!Number.isSafeInteger(expiration_month) || !Number.isSafeInteger(expiration_year))
      return invalid('expiration_month')
    const token = bank.nextId('card_token')
    bank.cardTokens.set(token, { acceptsPush: !String(number).endsWith('0003') })
    if (String(number).endsWith('0002')) transfers.declines.set(token, 'closed_account')
    return { body: { card_token: token } }
  }

  function readCapabilities({ acceptsPush }: { acceptsPush: boolean }): Answer {
    const support = acceptsPush ? 'supported' : 'not_supported'
    return {
      body: {
        routes: [
          {
            cross_border_push_transfers: 'not_supported',
            domestic_push_transfers: support,
            issuer_country: 'US',
            route: 'visa',
          },
        ],
        type: 'card_token_capabilities',
      },
    }
  }

  function simulate(transfer: Ach | Check, action: string, body: Record<string, unknown>): Answer {
    if (transfer.type === 'check_transfer')
      return transfers.mail(transfer) ? { body: transfer } : notAllowed(`The transfer is ${transfer.status}.`)
    const actions: Record<string, () => boolean> = {
      submit: () => transfers.submit(transfer),
      acknowledge: () => transfers.acknowledge(transfer),
      settle: () => transfers.settle(transfer),
      return: () =>
        transfers.return(
          transfer,
          returnCodes[(body['reason'] ?? 'insufficient_fund') as ReturnReason],
          (body['addenda_information'] ?? null) as string | null,
        ),
      create_notification_of_change() {
        transfers.notify(transfer, body as Notice)
        return true
      },
    }
    const run = actions[action]
    if (!run) return notFound()
    return run() ? { body: transfer } : notAllowed(`The transfer is ${transfer.status}.`)
  }

  function readList(path: string, query: URLSearchParams): object[] | undefined {
    const account = query.get('account_id')
    const ofAccount = <T extends { account_id: string }>(rows: readonly T[]) =>
      account === null ? [...rows] : rows.filter(each => each.account_id === account)
    if (Object.hasOwn(collections, path)) return listTransfers(path as Collection, query)
    switch (path) {
      case 'accounts':
        return [...bank.accounts.values()].map(({ object }) => object)
      case 'account_numbers':
        return ofAccount(bank.numbers)
      case 'transactions': {
        const after = query.get('created_at.after') ?? ''
        const before = query.get('created_at.before') ?? '9'
        return ofAccount(bank.transactions)
          .filter(({ created_at }) => created_at > after && created_at < before)
          .reverse()
      }
      case 'pending_transactions':
        return ofAccount([...bank.pendingTransactions.values()]).reverse()
      case 'events':
        return events.events.toReversed()
      case 'event_subscriptions':
        return events.subscriptions.map(({ object }) => object)
      default:
        return undefined
    }
  }

  function readObject(collection: string, id: string, member: string | undefined): Answer {
    if (collection === 'accounts' && member === 'balance' && bank.accounts.has(id))
      return {
        body: {
          account_id: id,
          current_balance: bank.currentBalance(id),
          available_balance: bank.availableBalance(id),
          loan: null,
          type: 'balance_lookup',
        },
      }
    const card = collection === 'card_tokens' && member === 'capabilities' ? bank.cardTokens.get(id) : undefined
    if (card) return readCapabilities(card)
    if (member !== undefined) return notFound()
    const rows = readList(collection, new URLSearchParams()) as { id: string }[] | undefined
    const object = rows?.find(row => row.id === id)
    return object ? { body: object } : notFound()
  }

  function page(rows: object[], query: URLSearchParams): Answer {
    const start = Number(query.get('cursor') ?? 0)
    const limit = Math.min(Number(query.get('limit') ?? MAX_PAGE_SIZE), MAX_PAGE_SIZE)
    const next = start + limit
    return {
      body: { data: rows.slice(start, next), next_cursor: next < rows.length ? String(next) : null },
    }
  }

  function handle(method: string, url: URL, key: string | null, body: Record<string, unknown>): Answer {
    const [collection = '', id, action] = url.pathname
      .slice(1)
      .replace(/^simulations\//, '')
      .split('/')
    const transfer = id === undefined ? undefined : transfers.all.get(id)
    if (url.pathname.startsWith('/simulations/'))
      return method === 'POST' && (transfer?.type === 'ach_transfer' || transfer?.type === 'check_transfer')
        ? simulate(transfer, action ?? '', body)
        : notFound()
    if (method === 'POST') {
      if (id !== undefined) return transfer ? act(transfer, action ?? '', body) : notFound()
      if (collection === 'card_tokens') return tokenize(body)
      if (Object.hasOwn(collections, collection)) return create(collection as Collection, body, key)
      if (collection !== 'event_subscriptions') return notFound()
      const { url: target, shared_secret, selected_event_categories } = body
      if (typeof target !== 'string' || !URL.canParse(target)) return invalid('url')
      const categories = selected_event_categories as { event_category: string }[] | undefined
      const secret = typeof shared_secret === 'string' ? shared_secret : 'a secret that Increase chose'
      return {
        body: events.subscribe(target, secret, categories?.map(({ event_category }) => event_category) ?? null, key),
      }
    }
    if (method !== 'GET') return notFound()
    if (id !== undefined)
      return transfer && action === undefined ? { body: transfer } : readObject(collection, id, action)
    const rows = readList(collection, url.searchParams)
    return rows
      ? page(rows, url.searchParams)
      : { status: 404, type: 'api_method_not_found_error', title: 'No such method.' }
  }

  async function readBody(request: Request): Promise<Record<string, unknown> | null> {
    const text = await request.text()
    if (text === '') return {}
    try {
      return JSON.parse(text)
    } catch {
      return null
    }
  }

  async function answer(request: Request): Promise<Response> {
    bank.runSteps()
    const body = await readBody(request)
    const key = request.headers.get('idempotency-key')
    const isVault = request.method === 'POST' && new URL(request.url).pathname === '/card_tokens'
    const wanted = isVault ? tokenizationKey : apiKey
    const isAuthenticated = request.headers.get('authorization') === `Bearer ${wanted}`
    const result: Answer = !isAuthenticated
      ? { status: 401, type: 'invalid_api_key_error', title: 'The API key is not valid.' }
      : limited > 0 && limited--
        ? { status: 429, type: 'rate_limited_error', title: 'Too many requests.', retry_after: 1 }
        : body === null
          ? { status: 400, type: 'malformed_request_error', title: 'The body is not JSON.' }
          : key !== null && key.length > 200
            ? invalid('idempotency_key')
            : handle(request.method, new URL(request.url), key, body)
    if (sendEarly) for (const delivery of events.take({ twice: false, reversed: false })) await sendEarly(delivery)
    return 'type' in result
      ? Response.json({ detail: null, ...result }, { status: result.status })
      : Response.json(result.body, result.headers ? { headers: result.headers } : {})
  }

  return {
    answer,
    accounts: ids,
    bank,
    transfers,
    events,
    forward: ms => bank.forward(ms),
    takeWebhooks: (faults = {}) => events.take({ twice: false, reversed: false, ...faults }),
    limitNext(requests) {
      limited = requests
    },
    setLag(ms) {
      lagMs = ms
    },
  }
}
