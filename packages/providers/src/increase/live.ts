/** The live run in Increase's sandbox, whose simulations move transfers. No money moves. */
import type { RailAccount, RailPayment } from '@causeway/connector/ports/rail'
import { resourceCodes } from '@causeway/contract/errors'
import { DAY_MS } from '@causeway/contract/time'
import { expectEqual, type LiveRun, type LiveStep, type LiveTools, utcDay } from '../testing/live-run.js'
import { checkDoctor } from '../testing/live-steps.js'
import { changeTransfer, list } from './client.js'
import { increase } from './provider.js'
import { statement } from './statement.js'

/** The money that the run sends is less than this, in cents. */
const NEEDED_BALANCE = 10_00
/** The maximum number of pages of the statement that are read. */
const MAX_PAGES = 20

/** An account at another bank. The numbers are made up, and the sandbox sends nothing there. */
const bankAccount = { routing: '021000021', number: '123456789' }
const person: RailAccount = {
  ...bankAccount,
  id: 'acc_live',
  type: 'ach',
  reference: null,
  mch_id: null,
  holder: { name: 'Sandbox Person', kind: 'person' },
}
const debt: RailAccount = {
  ...{ id: 'acc_live_debt', type: 'liability', routing: null, number: '400012345678', reference: null },
  mch_id: 'mch_live',
  payee: {
    route: 'check',
    name: 'Sandbox Servicer',
    address: { line1: '1 Main St', line2: null, city: 'Austin', state: 'TX', zip: '78701' },
    memo: 'Account 400012345678',
  },
}

/** The account at Increase from which the run pays: the first active account number of an open account. */
async function findSource({ context }: LiveTools): Promise<RailAccount> {
  const open = new Set<unknown>()
  for await (const { id, status } of list(context, '/accounts')) if (status === 'open') open.add(id)
  for await (const { account_id, account_number, routing_number, status } of list(context, '/account_numbers'))
    if (status === 'active' && open.has(account_id))
      return { ...person, id: 'acc_source', routing: String(routing_number), number: String(account_number) }
  throw new Error('no open account has an active account number. Create one in the dashboard')
}

async function createPayment(tools: LiveTools, name: string, amount: number, destination: RailAccount) {
  const now = tools.context.now()
  const payment: RailPayment = {
    ...{ payment_id: tools.id(name), amount, fee: 0, source: await findSource(tools), destination },
    ...{ created_at: now, source_date: utcDay(now), destination_date: utcDay(now + DAY_MS) },
  }
  return payment
}

/** Submits a payment. `attempt` tells the calls apart, so that each is sent. @returns the id of the transfer */
async function submit({ call, linkedTo }: LiveTools, payment: RailPayment, attempt = 1): Promise<string> {
  const id = payment.payment_id
  expectEqual('the answer', await call('rail/submit', payment, `${id} ${attempt}`), { status: 'accepted' })
  const transfers = linkedTo(id)
  expectEqual('the number of transfers of the payment', transfers.length, 1)
  return transfers[0]!
}

async function simulate(
  { context }: LiveTools,
  route: 'ach_transfers' | 'check_transfers',
  transfer: string,
  action: string,
  body?: object,
): Promise<void> {
  const { refusal } = await changeTransfer(context, `/simulations/${route}/${transfer}/${action}`, body)
  if (refusal) throw new Error(`the simulation ${action} was refused: ${refusal.type}`)
}

/** Reads the status a day from now, because the simulated times can be later today. */
async function expectStatus(tools: LiveTools, payment: RailPayment, expected: string) {
  const at = tools.context.now() + DAY_MS
  const read = () => tools.call('rail/status', payment, payment.payment_id, at)
  const answer = await tools.eventually(read, ({ status }) => status === expected)
  expectEqual('the status', answer.status, expected)
  return answer
}

/** Forgets the transfer of a key, as if the process had ended before it was stored. */
const forget = ({ context }: LiveTools, key: string) => context.store.delete('transfer', key)

const steps: LiveStep[] = [
  checkDoctor(increase),
  {
    name: 'a funded account is listed, and a payment from it would be accepted',
    async run(tools) {
      const source = await findSource(tools)
      const question = { amount: NEEDED_BALANCE, source, destination: person }
      expectEqual('the answer', await tools.call('rail/accepts', question, tools.id('accepts')), { accepted: true })
      const { accounts } = await tools.call('rail/managed_accounts', {}, tools.id('accounts'))
      expectEqual('the number of accounts of the team', accounts.length, 1)
    },
  },
  {
    name: 'an ACH payment that is submitted twice leaves once, and its outcome is known',
    async run(tools) {
      const payment = await createPayment(tools, 'pmt_twice', 101, person)
      const transfer = await submit(tools, payment)
      await forget(tools, payment.payment_id)
      expectEqual('whether the second transfer is the first', (await submit(tools, payment, 2)) === transfer, true)
      await forget(tools, payment.payment_id)
      const find = () => tools.findOutcome('rail/submit', payment, payment.payment_id)
      const outcome = await tools.eventually(find, ({ known }) => known)
      expectEqual('the outcome', outcome, { known: true, answer: { status: 'accepted' } })
    },
  },
  {
    name: 'an ACH payment is processed, sent and posted',
    async run(tools) {
      const payment = await createPayment(tools, 'pmt_posted', 102, person)
      const transfer = await submit(tools, payment)
      await simulate(tools, 'ach_transfers', transfer, 'submit')
      const { destination_trace_id: trace } = await expectStatus(tools, payment, 'processing')
      expectEqual('whether the transfer has a trace number', trace !== null, true)
      await simulate(tools, 'ach_transfers', transfer, 'acknowledge')
      await expectStatus(tools, payment, 'sent')
      await simulate(tools, 'ach_transfers', transfer, 'settle')
      await expectStatus(tools, payment, 'posted')
    },
  },
  {
    name: 'a return needs a reversal, with our code and the raw code R02',
    async run(tools) {
      const payment = await createPayment(tools, 'pmt_returned', 103, person)
      const transfer = await submit(tools, payment)
      await simulate(tools, 'ach_transfers', transfer, 'submit')
      await simulate(tools, 'ach_transfers', transfer, 'return', { reason: 'account_closed' })
      const { code, returned_as } = await expectStatus(tools, payment, 'reversal_required')
      expectEqual('the code', code, resourceCodes.PAYMENT_INVALID_DESTINATION_ACCOUNT)
      expectEqual('the raw code', returned_as?.code, 'R02')
    },
  },
  {
    name: 'a notification of change is read, with the corrected number',
    async run(tools) {
      const payment = await createPayment(tools, 'pmt_changed', 104, person)
      const transfer = await submit(tools, payment)
      await simulate(tools, 'ach_transfers', transfer, 'submit')
      const body = { corrected_account_number: '987654321' }
      await simulate(tools, 'ach_transfers', transfer, 'create_notification_of_change', body)
      const { noc, corrected } = await expectStatus(tools, payment, 'processing')
      expectEqual('the code of the notice', noc?.code, 'C01')
      expectEqual('whether the number is corrected', corrected?.number, body.corrected_account_number)
    },
  },
  {
    name: 'a check is mailed, and stopped',
    async run(tools) {
      const payment = await createPayment(tools, 'pmt_check', 105, debt)
      const transfer = await submit(tools, payment)
      await simulate(tools, 'check_transfers', transfer, 'mail')
      await expectStatus(tools, payment, 'sent')
      const answer = await tools.call('rail/cancel', payment, payment.payment_id)
      expectEqual('the answer to the cancellation', answer.status, 'canceled')
      await expectStatus(tools, payment, 'reversal_required')
    },
  },
  {
    name: 'micro-deposits are sent, their outcome is known, and a return is reported',
    async run(tools) {
      const id = tools.id('deposit')
      const question = { ...bankAccount, amounts: [11, 12] as [number, number] }
      expectEqual('the answer', (await tools.call('network/deposit', question, id)).status, 'sent')
      for (const key of [`${id}.1`, `${id}.2`]) await forget(tools, key)
      const find = () => tools.findOutcome('network/deposit', question, id)
      expectEqual('the outcome', (await tools.eventually(find, ({ known }) => known)).known, true)
      const transfers = tools.linkedTo(id)
      expectEqual('the number of transfers', transfers.length, 2)
      expectEqual('the status', (await tools.call('network/deposit_status', {}, id)).status, 'sent')
      await simulate(tools, 'ach_transfers', transfers[0]!, 'submit')
      await simulate(tools, 'ach_transfers', transfers[0]!, 'return', { reason: 'no_account' })
      const at = tools.context.now() + DAY_MS
      const read = () => tools.call('network/deposit_status', {}, id, at)
      const answer = await tools.eventually(read, ({ status }) => status === 'returned')
      expectEqual('the status after the return', answer, { status: 'returned', code: 'R03' })
    },
  },
  {
    name: 'an act that never arrived is unknown',
    async run(tools) {
      const question = { ...bankAccount, amounts: [13, 14] as [number, number] }
      expectEqual('the outcome', await tools.findOutcome('network/deposit', question, tools.id('none')), {
        known: false,
      })
    },
  },
  {
    name: 'the statement shows a payment',
    async run(tools) {
      const payment = await createPayment(tools, 'pmt_statement', 106, person)
      const transfer = await submit(tools, payment)
      const line = await tools.eventually(
        () => findLine(tools, transfer),
        amount => amount !== null,
      )
      expectEqual('the amount on the statement', line, -payment.amount)
    },
  },
]

/** Returns the amount of a transfer on the statement, or null if it is not there. */
async function findLine({ context }: LiveTools, transfer: string): Promise<number | null> {
  const days = { from: utcDay(context.now() - DAY_MS), to: utcDay(context.now() + DAY_MS) }
  let cursor: string | null = null
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await statement(context, { ...days, cursor })
    const line = page.lines.find(each => each.transfer === transfer)
    if (line) return line.amount
    if (page.cursor === null) return null
    cursor = page.cursor
  }
  return null
}

export const increaseLive: LiveRun = {
  provider: increase,
  documents: { names: ['increase'], options: {} },
  reads: new Set([
    ...['data', 'next_cursor', 'id', 'status', 'idempotency_key', 'created_at', 'type', 'errors', 'field'],
    ...[
      'resource_id',
      'name',
      'account_id',
      'account_number',
      'routing_number',
      'current_balance',
      'available_balance',
    ],
    ...['submission', 'submitted_at', 'trace_number', 'expected_funds_settlement_at', 'acknowledgement'],
    ...['administrative_returns_expected_by', 'acknowledged_at', 'settlement', 'settled_at', 'return'],
    ...['raw_return_reason_code', 'addenda_information', 'notifications_of_change', 'change_code'],
    ...['corrected_routing_number', 'corrected_account_number', 'corrected_account_funding', 'mailing', 'mailed_at'],
    ...['stop_payment_request', 'requested_at', 'amount', 'source', 'category', 'transfer_id', 'url'],
    ...['selected_event_categories', 'event_category', 'description'],
  ]),
  options: {},
  notice: 'This run creates transfers of less than $10 in the sandbox, and simulates what happens to them.',
  steps,
}
