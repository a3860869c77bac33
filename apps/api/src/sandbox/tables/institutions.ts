/** The sandbox's merchants, each with a single product. Data only. */
import type { Bureau, Merchant } from '@causeway/connector/ports/network'
import { logoPath } from '../art/draw.js'

/**
 * The properties of a merchant's product. `size` is the limit of a card or credit line, or the original amount of a
 * loan, in cents.
 */
export interface Product {
  /** The type of liability. */
  type: string
  sub_type: string | null
  name: string
  /** The highest rate, in percent. */
  rate: number
  size: number
  /** In months. Null if the product has no term. */
  term: number | null
  opened_at: string
  /** True if the institution responds to calls directly. False if it provides only monthly snapshots. */
  direct: boolean
  /** True if the institution reports each transaction. */
  transactions?: true
  /** False if payments can't reach the product's accounts. */
  payable?: false
}

const card = ['################']
const ten = ['##########']
const amex = { plaid: ['ins_10'], mx: ['amex'], finicity: [] }

/**
 * The names under which certain merchants appear in credit reports. All other merchants appear under their parent
 * company's name, in capital letters.
 */
const creditorNames: Readonly<Record<string, string>> = {
  mch_1: 'JPMCB CARD',
  mch_3: 'AMEX',
  mch_21: 'FEDLOAN',
  mch_300485: 'AMEX',
  mch_301760: 'CAPITAL ONE AUTO FIN',
  mch_302086: 'JPMCB CARD',
  mch_311130: 'ALLY FINCL',
  mch_311289: 'CITICARDS CBNA',
  mch_320006: 'DISCOVERCARD',
}

function merchant(
  id: string,
  parent_name: string,
  name: string,
  type: string,
  account_number_formats: string[],
  provider_ids: Merchant['provider_ids'] = { plaid: [], mx: [], finicity: [], dpp: [] },
): Merchant {
  const logo = logoPath(id)
  const creditor_names = [creditorNames[id] ?? parent_name.toUpperCase()]
  return { id, parent_name, name, logo, type, provider_ids, is_temp: false, account_number_formats, creditor_names }
}

/** A fictional credit bureau. The phone number is reserved for fiction, and the domain for examples. */
export const bureau: Bureau = {
  name: 'Sandbox Credit Bureau',
  phone: '+18005550199',
  url: 'https://bureau.example/freeze',
}

export const merchants: readonly Merchant[] = [
  merchant('mch_1', 'Chase', 'Chase Credit Cards', 'credit_card', card),
  merchant('mch_3', 'American Express', 'American Express - Credit Cards', 'credit_card', [], {
    ...amex,
    dpp: ['120', '18954427', '11859365', '18947131', '16255844'],
  }),
  merchant('mch_21', 'FedLoan Servicing', 'FedLoan Student Loans', 'student_loans', ten),
  merchant('mch_300485', 'American Express', 'American Express Credit Card', 'credit_card', ['###############'], {
    ...amex,
    dpp: ['7929257', '120', '18391555', '18954427', '11859365', '18947131', '16255844'],
  }),
  merchant('mch_301760', 'Capital One', 'Capital One Auto Loan', 'auto_loan', ten),
  merchant('mch_301761', 'Capital One', 'Capital One Credit Card', 'credit_card', card),
  merchant('mch_302086', 'Chase', 'Chase Credit Card', 'credit_card', card),
  merchant('mch_311130', 'Ally', 'Ally Auto Loan', 'auto_loan', ten),
  merchant('mch_311289', 'Citi', 'Citi Credit Card', 'credit_card', card),
  merchant('mch_320001', 'Upstart', 'Upstart Personal Loan', 'personal_loan', ten),
  merchant('mch_320002', 'Rocket Mortgage', 'Rocket Mortgage Home Loan', 'mortgage', ten),
  merchant('mch_320003', 'Nelnet', 'Nelnet Student Loan', 'student_loan', ten),
  merchant('mch_320004', 'LendingClub', 'LendingClub Personal Loan', 'personal_loan', ten),
  merchant('mch_320005', 'Affirm', 'Affirm Pay Over Time', 'bnpl', ten),
  merchant('mch_320006', 'Discover', 'Discover Credit Card', 'credit_card', card),
  merchant('mch_320007', 'SoFi', 'SoFi Line of Credit', 'personal_loan', ten),
  merchant('mch_320008', 'Midland Credit Management', 'Midland Collections', 'collection', ten),
]

const aCard = { type: 'credit_card', term: null, direct: true, transactions: true } as const
const aLoan = { direct: true } as const

/** Products by merchant id. Every merchant has exactly one product. */
export const products: Readonly<Record<string, Product>> = {
  mch_1: {
    ...aCard,
    sub_type: 'unsecured',
    name: 'Chase Freedom Unlimited',
    rate: 26.24,
    size: 900_000,
    opened_at: '2019-04-11',
  },
  mch_3: {
    ...aCard,
    sub_type: 'flexible_spending',
    name: 'American Express Blue Cash Everyday',
    rate: 28.49,
    size: 1_200_000,
    opened_at: '2018-09-03',
  },
  mch_21: {
    type: 'student_loans',
    sub_type: 'federal',
    name: 'FedLoan student loan',
    rate: 4.53,
    size: 2_250_000,
    term: 120,
    opened_at: '2019-08-26',
    direct: false,
    payable: false,
  },
  mch_300485: {
    ...aCard,
    sub_type: 'charge',
    name: 'American Express Gold',
    rate: 28.49,
    size: 1_500_000,
    opened_at: '2021-02-15',
  },
  mch_301760: {
    ...aLoan,
    type: 'auto_loan',
    sub_type: 'loan',
    name: 'Capital One Auto Loan',
    rate: 7.9,
    size: 2_600_000,
    term: 60,
    opened_at: '2022-10-07',
  },
  mch_301761: {
    ...aCard,
    sub_type: 'unsecured',
    name: 'Capital One Venture',
    rate: 24.9,
    size: 1_000_000,
    opened_at: '2020-06-19',
  },
  mch_302086: {
    type: 'credit_card',
    sub_type: 'flexible_spending',
    name: 'Chase Sapphire Reserve',
    rate: 27.5,
    size: 2_800_000,
    term: null,
    opened_at: '2016-12-20',
    direct: true,
  },
  mch_311130: {
    ...aLoan,
    type: 'auto_loan',
    sub_type: 'loan',
    name: 'Ally Auto Loan',
    rate: 6.4,
    size: 6_900_000,
    term: 72,
    opened_at: '2023-05-02',
  },
  mch_311289: {
    ...aCard,
    sub_type: 'unsecured',
    name: 'Citi Double Cash',
    rate: 25.99,
    size: 1_400_000,
    opened_at: '2017-03-28',
  },
  mch_320001: {
    ...aLoan,
    type: 'personal_loan',
    sub_type: 'unsecured',
    name: 'Upstart personal loan',
    rate: 19.2,
    size: 500_000,
    term: 36,
    opened_at: '2023-11-13',
  },
  mch_320002: {
    ...aLoan,
    type: 'mortgage',
    sub_type: 'loan',
    name: 'Rocket Mortgage',
    rate: 6.25,
    size: 32_500_000,
    term: 360,
    opened_at: '2021-07-30',
  },
  mch_320003: {
    ...aLoan,
    type: 'student_loan',
    sub_type: 'private',
    name: 'Nelnet student loan',
    rate: 5.8,
    size: 1_800_000,
    term: 120,
    opened_at: '2020-09-01',
  },
  mch_320004: {
    ...aLoan,
    type: 'personal_loan',
    sub_type: 'unsecured',
    name: 'LendingClub personal loan',
    rate: 16.9,
    size: 800_000,
    term: 48,
    opened_at: '2023-03-21',
  },
  mch_320005: {
    ...aLoan,
    type: 'bnpl',
    sub_type: null,
    name: 'Affirm',
    rate: 15,
    size: 60_000,
    term: 12,
    opened_at: '2024-11-05',
  },
  mch_320006: {
    ...aCard,
    sub_type: 'unsecured',
    name: 'Discover it',
    rate: 23.24,
    size: 700_000,
    opened_at: '2018-01-17',
  },
  mch_320007: {
    ...aLoan,
    type: 'personal_loan',
    sub_type: 'line_of_credit',
    name: 'SoFi line of credit',
    rate: 13.75,
    size: 1_500_000,
    term: null,
    opened_at: '2022-02-24',
  },
  mch_320008: {
    type: 'collection',
    sub_type: null,
    name: 'Midland collection account',
    rate: 0,
    size: 90_000,
    term: null,
    opened_at: '2023-08-08',
    direct: false,
  },
}

/** Returns a debt's product. */
export const productOf = ({ mch_id }: { mch_id: string }): Product => products[mch_id]!
