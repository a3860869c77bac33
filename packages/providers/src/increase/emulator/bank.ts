/** The accounts of the emulated bank, with their transactions, and the clock and ids that everything shares. */
import type Increase from 'increase'

export interface BankOptions {
  now(): number
  /** The number of times that transfers move faster than at the real bank. */
  speed: number
}

/** The kind of a transaction, and the transfer that caused it. */
interface Source {
  category: string
  transfer: string
}

export interface Account {
  object: Increase.Account
  /** True if people must approve the transfers of this account. */
  needsApproval: boolean
}

/** A step that happens at a time, unless the transfer has moved on by then. */
interface Step {
  at: number
  run(at: number): void
}

export const iso = (at: number): string => new Date(at).toISOString()

export class Bank {
  readonly accounts = new Map<string, Account>()
  readonly numbers: Increase.AccountNumber[] = []
  /** In order of creation. */
  readonly transactions: Increase.Transaction[] = []
  /** The tokens of cards, and whether each card's issuer accepts pushed payments. */
  readonly cardTokens = new Map<string, { acceptsPush: boolean }>()
  readonly pendingTransactions = new Map<string, Increase.PendingTransaction>()
  /** The balance of each account, and the part of it that is held. */
  readonly #balances = new Map<string, { current: number; held: number }>()
  readonly #steps: Step[] = []
  readonly #clock: () => number
  #offset = 0
  #ids = 0
  /** The time of the step that runs now, which may be earlier than the clock. */
  #stepAt: number | null = null

  readonly #speed: number

  constructor({ now, speed }: BankOptions) {
    this.#clock = now
    this.#speed = speed
  }

  now(): number {
    return this.#stepAt ?? this.#clock() + this.#offset
  }

  /** Moves the clock forward, and runs every step up to the new time. */
  forward(ms: number): void {
    this.#offset += ms
    this.runSteps()
  }

  nextId(prefix: string): string {
    return `${prefix}_${(++this.#ids).toString(36).padStart(20, '0')}`
  }

  /** Returns a new trace number: 15 digits, unique. */
  nextTrace(): string {
    return `09100002${String(++this.#ids).padStart(7, '0')}`
  }

  /** Returns how long something takes here that takes a time at the real bank. */
  duration(ms: number): number {
    return Math.ceil(ms / this.#speed)
  }

  /** Runs a step at a time. */
  at(time: number, run: (at: number) => void): void {
    let index = this.#steps.length
    while (index > 0 && this.#steps[index - 1]!.at > time) index--
    this.#steps.splice(index, 0, { at: time, run })
  }

  /** Runs the steps that are due, in order, each at its own time. */
  runSteps(): void {
    const now = this.now()
    while (this.#steps.length > 0 && this.#steps[0]!.at <= now) {
      const { at, run } = this.#steps.shift()!
      this.#stepAt = at
      try {
        run(at)
      } finally {
        this.#stepAt = null
      }
    }
  }

  openAccount(name: string, balance: number, routing: string, number: string): string {
    const id = this.nextId('account')
    const created_at = iso(this.now())
    this.accounts.set(id, {
      needsApproval: false,
      object: {
        id,
        account_revenue_rate: null,
        bank: 'first_internet_bank',
        closed_at: null,
        created_at,
        currency: 'USD',
        entity_id: 'entity_n8y8tnk2p9339ti393yi',
        funding: 'deposits',
        idempotency_key: null,
        informational_entity_id: null,
        interest_rate: '0',
        loan: null,
        name,
        program_id: 'program_i2v2os4mwza1oetokh9i',
        status: 'open',
        type: 'account',
      } as Increase.Account,
    })
    this.addNumber(id, routing, number)
    if (balance !== 0) this.post(id, balance, 'Sample funds', { category: 'sample_funds', transfer: '' })
    return id
  }

  addNumber(account: string, routing: string, number: string): void {
    this.numbers.push({
      id: this.nextId('account_number'),
      account_id: account,
      account_number: number,
      created_at: iso(this.now()),
      idempotency_key: null,
      inbound_ach: { debit_status: 'blocked' },
      inbound_checks: { status: 'check_transfers_only' },
      name: 'Payments',
      routing_number: routing,
      status: 'active',
      type: 'account_number',
    })
  }

  /** Adds a transaction. @returns its id */
  post(account: string, amount: number, description: string, { category, transfer }: Source): string {
    const id = this.nextId('transaction')
    this.#balanceOf(account).current += amount
    this.transactions.push({
      id,
      account_id: account,
      amount,
      created_at: iso(this.now()),
      currency: 'USD',
      description,
      route_id: null,
      route_type: null,
      source: { category, ...(transfer && { [category]: { transfer_id: transfer } }) } as never,
      type: 'transaction',
    })
    return id
  }

  /** Holds an amount until {@link release}. @returns the id of the hold */
  hold(account: string, amount: number, category: string): string {
    const id = this.nextId('pending_transaction')
    this.#balanceOf(account).held += amount
    this.pendingTransactions.set(id, {
      id,
      account_id: account,
      amount: -amount,
      completed_at: null,
      created_at: iso(this.now()),
      currency: 'USD',
      description: 'Transfer',
      held_amount: amount,
      route_id: null,
      route_type: null,
      source: { category } as never,
      status: 'pending',
      type: 'pending_transaction',
    })
    return id
  }

  release(id: string | null): void {
    const hold = id === null ? undefined : this.pendingTransactions.get(id)
    if (hold?.status !== 'pending') return
    this.#balanceOf(hold.account_id).held -= hold.held_amount
    Object.assign(hold, { status: 'complete', completed_at: iso(this.now()), held_amount: 0 })
  }

  #balanceOf(account: string): { current: number; held: number } {
    const balance = this.#balances.get(account) ?? { current: 0, held: 0 }
    this.#balances.set(account, balance)
    return balance
  }

  currentBalance(account: string): number {
    return this.#balanceOf(account).current
  }

  availableBalance(account: string): number {
    const { current, held } = this.#balanceOf(account)
    return current - held
  }
}
