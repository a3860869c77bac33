/** Transfers of the emulated bank, and what happens to them as time passes. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@causeway/contract/time'
import type Increase from 'increase'
import { changeCodes, type ReturnReason, returnCodes } from '../codes.js'
import { type Bank, iso } from './bank.js'
import type { Events } from './events.js'

export type Ach = Increase.ACHTransfer
export type Check = Increase.CheckTransfer
export type Card = Increase.CardPushTransfer
export type Internal = Increase.AccountTransfer
export type Transfer = Ach | Check | Card | Internal

export interface Notice {
  corrected_account_number?: string
  corrected_routing_number?: string
  corrected_account_funding?: string
  corrected_individual_id?: string
}

const SUBMISSION_INTERVAL_MS = 30 * MINUTE_MS
const ACKNOWLEDGEMENT_MS = 20 * MINUTE_MS
const SETTLEMENT_MS = 6 * HOUR_MS
const RETURN_MS = DAY_MS
const LATE_RETURN_MS = 59 * DAY_MS
const MAILING_MS = DAY_MS
const DEPOSIT_MS = 5 * DAY_MS
const CARD_MS = MINUTE_MS

/** Returns the amount of a transfer in cents. */
const centsOf = (transfer: Transfer): number =>
  transfer.type === 'card_push_transfer' ? Number(transfer.presentment_amount.value.replace('.', '')) : transfer.amount

/**
 * Account numbers that decide what happens to a credit: the first four digits name the event, and the next two are the
 * number of the code. 770003 is returned as R03 after a day, 775910 as R10 on day 59, 779801 gets the
 * notice C01, 779701 is returned as R03 and then gets C01, and 7766 is rejected.
 */
const scripts = /^77(00|59|66|97|98)(\d\d)?/

const reasonOf = (raw: string) =>
  (Object.keys(returnCodes) as ReturnReason[]).find(reason => returnCodes[reason] === raw) ??
  'file_record_edit_criteria'
const changeOf = (code: string) =>
  (Object.keys(changeCodes) as (keyof typeof changeCodes)[]).find(change => changeCodes[change] === code) ??
  'incorrect_account_number'

export class Transfers {
  readonly all = new Map<string, Transfer>()
  /** The reasons for which issuers decline payments, by the token of the card. */
  readonly declines = new Map<string, Increase.CardPushTransfer.Decline['reason']>()
  readonly #bank: Bank
  readonly #events: Events
  /** The hold of each transfer that has one. */
  readonly #holds = new Map<string, string>()

  constructor(bank: Bank, events: Events) {
    this.#bank = bank
    this.#events = events
  }

  add(transfer: Transfer): void {
    this.all.set(transfer.id, transfer)
    this.#events.emit(`${transfer.type}.created`, transfer.id)
    if (transfer.status === 'pending_approval') this.#hold(transfer)
    else this.#start(transfer)
  }

  #after(ms: number, run: () => void): void {
    this.#bank.at(this.#bank.now() + this.#bank.duration(ms), run)
  }

  #hold(transfer: Transfer): void {
    const id = this.#bank.hold(transfer.account_id, centsOf(transfer), `${transfer.type}_instruction`)
    this.#holds.set(transfer.id, id)
    if (transfer.type !== 'card_push_transfer') transfer.pending_transaction_id = id
  }

  #release({ id }: Transfer): void {
    this.#bank.release(this.#holds.get(id) ?? null)
  }

  #changed(transfer: Transfer): void {
    this.#events.emit(`${transfer.type}.updated`, transfer.id)
  }

  #post(account: string, amount: number, category: string, transfer: string): string {
    const id = this.#bank.post(account, amount, 'Transfer', { category, transfer })
    this.#events.emit('transaction.created', id)
    return id
  }

  /** Moves the money of a transfer that needs no approval any more, and lets time take its course. */
  #start(transfer: Transfer): void {
    const now = this.#bank.now()
    const interval = this.#bank.duration(SUBMISSION_INTERVAL_MS)
    const nextFile = (Math.floor(now / interval) + 1) * interval
    switch (transfer.type) {
      case 'ach_transfer':
        transfer.status = 'pending_submission'
        transfer.transaction_id = this.#post(
          transfer.account_id,
          -transfer.amount,
          'ach_transfer_intention',
          transfer.id,
        )
        if (scripts.exec(transfer.account_number)?.[1] === '66') this.#bank.at(nextFile, () => this.reject(transfer))
        else this.#bank.at(nextFile, () => this.submit(transfer))
        return
      case 'check_transfer':
        transfer.status = 'pending_submission'
        this.#hold(transfer)
        this.#bank.at(nextFile, () => this.print(transfer))
        return
      case 'card_push_transfer':
        transfer.status = 'pending_submission'
        this.#hold(transfer)
        this.#after(CARD_MS, () => this.push(transfer))
        return
      default: {
        const { account_id, destination_account_id, amount, id } = transfer
        transfer.status = 'complete'
        transfer.transaction_id = this.#post(account_id, -amount, 'account_transfer_intention', id)
        transfer.destination_transaction_id = this.#post(
          destination_account_id,
          amount,
          'account_transfer_intention',
          id,
        )
      }
    }
  }

  approve(transfer: Transfer): boolean {
    if (transfer.status !== 'pending_approval') return false
    this.#release(transfer)
    transfer.approval = { approved_at: iso(this.#bank.now()), approved_by: null }
    this.#start(transfer)
    this.#changed(transfer)
    return true
  }

  cancel(transfer: Transfer): boolean {
    if (transfer.status !== 'pending_approval') return false
    this.#release(transfer)
    transfer.status = 'canceled'
    transfer.cancellation = { canceled_at: iso(this.#bank.now()), canceled_by: null }
    this.#changed(transfer)
    return true
  }

  /** Rejects a transfer after a review, and credits its account again. */
  reject(transfer: Ach | Check): void {
    if (transfer.status !== 'pending_submission') return
    transfer.status = 'rejected'
    if (transfer.type === 'ach_transfer')
      this.#post(transfer.account_id, transfer.amount, 'ach_transfer_rejection', transfer.id)
    else this.#release(transfer)
    this.#changed(transfer)
  }

  submit(transfer: Ach): boolean {
    if (transfer.status === 'pending_approval') this.approve(transfer)
    if (transfer.status !== 'pending_submission') return false
    const at = this.#bank.now()
    transfer.status = 'submitted'
    transfer.submission = {
      submitted_at: iso(at),
      trace_number: this.#bank.nextTrace(),
      effective_date: iso(at).slice(0, 10),
      expected_funds_settlement_at: iso(at + this.#bank.duration(SETTLEMENT_MS)),
      expected_settlement_schedule: 'same_day',
      administrative_returns_expected_by: iso(at + this.#bank.duration(SETTLEMENT_MS + 2 * DAY_MS)),
    }
    this.#changed(transfer)
    this.#after(ACKNOWLEDGEMENT_MS, () => this.acknowledge(transfer))
    this.#after(SETTLEMENT_MS, () => this.settle(transfer))
    return true
  }

  acknowledge(transfer: Ach): boolean {
    if (transfer.status !== 'submitted') return false
    if (transfer.acknowledgement) return true
    transfer.acknowledgement = { acknowledged_at: iso(this.#bank.now()) }
    this.#changed(transfer)
    return true
  }

  settle(transfer: Ach): boolean {
    this.submit(transfer)
    if (transfer.status !== 'submitted') return false
    if (transfer.settlement) return true
    const at = this.#bank.now()
    transfer.settlement = { settled_at: iso(at) }
    this.#changed(transfer)
    const [, script, number = '01'] = scripts.exec(transfer.account_number) ?? []
    if (script === '00') this.#after(RETURN_MS, () => this.return(transfer, `R${number}`))
    if (script === '59') this.#after(LATE_RETURN_MS, () => this.return(transfer, `R${number}`))
    if (script === '97') this.#after(RETURN_MS, () => this.return(transfer, 'R03'))
    if (script === '97' || script === '98')
      this.#after(2 * RETURN_MS, () => this.notify(transfer, { corrected_account_number: '987654321' }, `C${number}`))
    return true
  }

  /** Returns a transfer with a code such as `R03`. The account is credited again. */
  return(transfer: Ach, raw: string, addenda: string | null = null): boolean {
    if (transfer.status !== 'submitted') return false
    transfer.status = 'returned'
    transfer.return = {
      created_at: iso(this.#bank.now()),
      raw_return_reason_code: raw,
      return_reason_code: reasonOf(raw),
      addenda_information: addenda,
      trace_number: this.#bank.nextTrace(),
      transfer_id: transfer.id,
      transaction_id: this.#post(transfer.account_id, transfer.amount, 'ach_transfer_return', transfer.id),
    }
    this.#changed(transfer)
    return true
  }

  /** Adds a notification of change, which may come after a return, too. */
  notify(transfer: Ach, notice: Notice, code?: string): void {
    const { corrected_account_number: number, corrected_routing_number: routing } = notice
    const guessed = number && routing ? 'C03' : routing ? 'C02' : number ? 'C01' : 'C05'
    transfer.notifications_of_change.push({
      change_code: changeOf(code ?? guessed),
      corrected_account_funding: (notice.corrected_account_funding ?? null) as null,
      corrected_account_number: number ?? null,
      corrected_individual_id: notice.corrected_individual_id ?? null,
      corrected_routing_number: routing ?? null,
      created_at: iso(this.#bank.now()),
    })
    this.#changed(transfer)
  }

  print(transfer: Check): boolean {
    if (transfer.status === 'pending_approval') this.approve(transfer)
    if (transfer.status !== 'pending_submission') return false
    const at = this.#bank.now()
    const { mailing_address: address, recipient_name } = transfer.physical_check!
    transfer.status = 'pending_mailing'
    transfer.submission = {
      preview_file_id: null,
      submitted_address: {
        city: address.city ?? '',
        line1: address.line1 ?? '',
        line2: address.line2,
        recipient_name,
        state: address.state ?? '',
        zip: address.postal_code ?? '',
      },
      submitted_at: iso(at),
      tracking_number: null,
    }
    this.#changed(transfer)
    this.#after(MAILING_MS, () => this.mail(transfer))
    return true
  }

  mail(transfer: Check): boolean {
    this.print(transfer)
    if (transfer.status !== 'pending_mailing') return false
    const at = this.#bank.now()
    transfer.status = 'mailed'
    transfer.mailing = { mailed_at: iso(at) }
    this.#changed(transfer)
    this.#after(DEPOSIT_MS, () => this.deposit(transfer))
    return true
  }

  deposit(transfer: Check): boolean {
    if (transfer.status !== 'mailed') return false
    transfer.status = 'deposited'
    transfer.approved_inbound_check_deposit_id = this.#bank.nextId('inbound_check_deposit')
    this.#release(transfer)
    this.#post(transfer.account_id, -transfer.amount, 'check_transfer_deposit', transfer.id)
    this.#changed(transfer)
    return true
  }

  stop(transfer: Check, reason: Increase.CheckTransfer.StopPaymentRequest['reason']): boolean {
    if (!['pending_submission', 'pending_mailing', 'mailed'].includes(transfer.status)) return false
    transfer.status = 'stopped'
    transfer.stop_payment_request = {
      reason,
      requested_at: iso(this.#bank.now()),
      transfer_id: transfer.id,
      type: 'check_transfer_stop_payment_request',
    }
    this.#release(transfer)
    this.#changed(transfer)
    return true
  }

  /** Sends a payment to the card's network, which answers a minute later. */
  push(transfer: Card): boolean {
    if (transfer.status !== 'pending_submission') return false
    const at = this.#bank.now()
    transfer.status = 'submitted'
    transfer.submission = {
      retrieval_reference_number: this.#bank.nextTrace().slice(-12),
      sender_reference: transfer.id,
      submitted_at: iso(at),
      trace_number: this.#bank.nextTrace().slice(-6),
    }
    this.#changed(transfer)
    this.#after(CARD_MS, () => this.decide(transfer))
    return true
  }

  /** Lets the issuer accept a payment, or decline it for a reason. */
  decide(transfer: Card, reason = this.declines.get(transfer.card_token_id)): boolean {
    if (transfer.status !== 'submitted') return false
    const at = iso(this.#bank.now())
    this.#release(transfer)
    if (reason === undefined) {
      const amount = centsOf(transfer)
      transfer.status = 'complete'
      transfer.acceptance = {
        accepted_at: at,
        authorization_identification_response: '000000',
        card_verification_value2_result: null,
        network_transaction_identifier: null,
        settlement_amount: amount,
      }
      this.#post(transfer.account_id, -amount, 'card_push_transfer_acceptance', transfer.id)
    } else {
      transfer.status = 'declined'
      transfer.decline = { declined_at: at, network_transaction_identifier: null, reason }
    }
    this.#changed(transfer)
    return true
  }
}
