/** The institutions, the people who sign in there, and their accounts. Amounts are in dollars, as Plaid has them. */
import type { AccountBase, CreditCardLiability, MortgageLiability, StudentLoan, Transaction } from 'plaid'
import type { Plain } from '../types.js'

export interface EmulatedInstitution {
  id: string
  name: string
  products: readonly ('liabilities' | 'identity' | 'auth' | 'transactions')[]
}

export interface EmulatedAccounts {
  accounts: Plain<AccountBase>[]
  credit: Plain<CreditCardLiability>[]
  mortgage: Plain<MortgageLiability>[]
  student: Plain<StudentLoan>[]
  /** The routing and account numbers of bank accounts, by account. */
  numbers: Record<string, { routing: string; account: string }>
}

const all = ['liabilities', 'identity', 'auth', 'transactions'] as const

export const institutions: EmulatedInstitution[] = [
  { id: 'ins_900001', name: 'Harbor Credit Union', products: all },
  { id: 'ins_900002', name: 'Summit Card Services', products: ['liabilities', 'identity', 'transactions'] },
  { id: 'ins_900003', name: 'Lakeside Loans', products: ['liabilities'] },
]

/** The users of every institution. Any password is right. */
export const users: Readonly<Record<string, { score: number | null; breaks: boolean; text: string }>> = {
  user_good: { score: 100, breaks: false, text: 'has accounts in their own name' },
  user_other_name: { score: 30, breaks: false, text: 'has accounts in another name' },
  user_repair: { score: 100, breaks: true, text: 'must sign in again after linking' },
}

const account = (id: string, fields: Partial<Plain<AccountBase>>, balances: Partial<AccountBase['balances']>) =>
  ({
    account_id: id,
    mask: '1111',
    name: 'Account',
    official_name: null,
    type: 'credit',
    subtype: 'credit card',
    ...fields,
    balances: {
      available: null,
      current: null,
      limit: null,
      iso_currency_code: 'USD',
      unofficial_currency_code: null,
      ...balances,
    },
  }) satisfies Plain<AccountBase>

const card = (account_id: string, fields: Partial<Plain<CreditCardLiability>> = {}): Plain<CreditCardLiability> => ({
  account_id,
  aprs: [
    { apr_percentage: 27.24, apr_type: 'purchase_apr', balance_subject_to_apr: null, interest_charge_amount: null },
    { apr_percentage: 19.99, apr_type: 'balance_transfer_apr', balance_subject_to_apr: 0, interest_charge_amount: 0 },
  ],
  is_overdue: false,
  last_payment_amount: 168.25,
  last_payment_date: '2026-11-02',
  last_statement_issue_date: '2026-11-05',
  last_statement_balance: 1708.77,
  minimum_payment_amount: 35,
  next_payment_due_date: '2026-12-05',
  ...fields,
})

const noAddress = { city: null, region: null, street: null, postal_code: null, country: null }

/** Returns the accounts of a new item. `key` makes their ids its own. */
export function openAccounts(institution: string, key: string): EmulatedAccounts {
  const id = (name: string) => `${name}${key}`
  if (institution === 'ins_900002')
    return {
      accounts: [
        account(
          id('summitA'),
          { mask: '4321', name: 'Summit Rewards' },
          { current: 2512.4, limit: 5000, available: 2487.6 },
        ),
        account(id('summitB'), { mask: '4321', name: 'Summit Rewards' }, { current: -12.05, limit: null }),
      ],
      credit: [card(id('summitA')), card(id('summitB'), { aprs: [], is_overdue: null, last_payment_amount: null })],
      ...{ mortgage: [], student: [], numbers: {} },
    }
  if (institution === 'ins_900003')
    return {
      accounts: [
        account(
          id('student'),
          { mask: '7700', name: 'Student loan', type: 'loan', subtype: 'student' },
          { current: 18_204.11 },
        ),
        account(
          id('mortgage'),
          { mask: '8800', name: 'Home loan', type: 'loan', subtype: 'mortgage' },
          { current: 231_000.5 },
        ),
      ],
      credit: [],
      mortgage: [
        {
          account_id: id('mortgage'),
          account_number: '3120194154',
          ...{ current_late_fee: 25, escrow_balance: 3141.54, has_pmi: true, has_prepayment_penalty: false },
          interest_rate: { percentage: 3.99, type: 'fixed' },
          ...{ last_payment_amount: 1410.1, last_payment_date: '2026-11-01', loan_type_description: 'conventional' },
          ...{ loan_term: '30 year', maturity_date: '2045-07-31', next_monthly_payment: 1410.1 },
          ...{ next_payment_due_date: '2026-12-01', origination_date: '2015-08-01' },
          ...{ origination_principal_amount: 425_000, past_due_amount: 0 },
          property_address: noAddress,
          ...{ ytd_interest_paid: 12_300.4, ytd_principal_paid: 12_340.5 },
        },
      ],
      student: [
        {
          account_id: id('student'),
          account_number: '4277075694',
          ...{ disbursement_dates: ['2012-08-28'], expected_payoff_date: '2032-07-28', guarantor: 'DEPT OF ED' },
          ...{ interest_rate_percentage: 5.25, is_overdue: false, last_payment_amount: 138.05 },
          ...{ last_payment_date: '2026-10-22', last_statement_issue_date: '2026-11-01', loan_name: 'Consolidation' },
          loan_status: { end_date: '2032-07-28', type: 'repayment' },
          ...{ minimum_payment_amount: 25, next_payment_due_date: '2026-12-14', origination_date: '2012-08-28' },
          ...{ origination_principal_amount: 25_000, outstanding_interest_amount: 6227.36 },
          payment_reference_number: '4277075694',
          pslf_status: { estimated_eligibility_date: null, payments_made: null, payments_remaining: null },
          repayment_plan: { description: 'Standard Repayment', type: 'standard' },
          sequence_number: '1',
          servicer_address: noAddress,
          ...{ ytd_interest_paid: 280.55, ytd_principal_paid: 271.65 },
        },
      ],
      numbers: {},
    }
  return {
    accounts: [
      account(
        id('card'),
        { mask: '3333', name: 'Harbor Card', official_name: 'Harbor Platinum' },
        { current: 1203.42, limit: 8000, available: 6796.58 },
      ),
      account(id('auto'), { mask: '5555', name: 'Auto loan', type: 'loan', subtype: 'auto' }, { current: 9120.07 }),
      account(
        id('checking'),
        { mask: '0000', type: 'depository', subtype: 'checking', name: 'Checking' },
        { current: 890.1, available: 850 },
      ),
    ],
    credit: [card(id('card'))],
    ...{ mortgage: [], student: [] },
    numbers: { [id('checking')]: { routing: '011401533', account: '1111222233330000' } },
  }
}

const noLocation = {
  ...{ address: null, city: null, region: null, postal_code: null, country: null, lat: null, lon: null },
  store_number: null,
}
const noMeta = {
  ...{ reference_number: null, ppd_id: null, payee: null, by_order_of: null, payer: null, payment_method: null },
  ...{ payment_processor: null, reason: null },
}

export const transaction = (
  fields: Pick<Transaction, 'account_id' | 'transaction_id' | 'amount' | 'date'> & Partial<Plain<Transaction>>,
): Plain<Transaction> => ({
  ...{ iso_currency_code: 'USD', unofficial_currency_code: null, location: noLocation, name: 'Corner Shop' },
  ...{ payment_meta: noMeta, pending: false, pending_transaction_id: null, account_owner: null },
  ...{ authorized_date: null, authorized_datetime: null, datetime: null, payment_channel: 'in store' },
  transaction_code: null,
  ...fields,
})
