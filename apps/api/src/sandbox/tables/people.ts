/** The people in the sandbox. Data only. `scenario` is the description in docs/sandbox.md. */
import type { MissingDetail } from '@causeway/connector/ports/identity'
import type { Liability } from '@causeway/connector/ports/liability'

export interface Person {
  /** The network's reference for the person, which doesn't reveal the phone number. */
  reference: string
  phone: string
  scenario: string
  /** The details needed to match the person besides the name and phone number. */
  asks: readonly MissingDetail[]
  /** The last four SSN digits that match the person. If omitted, all digits match except the rejected ones. */
  ssn_4?: readonly string[]
  /** True if the person must answer knowledge questions. */
  questions?: true
  /** The code with which discovery fails. */
  fails?: 26001 | 26002
  /** True if discovery takes about four seconds to respond. */
  slow?: true
  /** The number of bureaus that have a score of the person. Defaults to 1. */
  bureaus?: 2
  /** References to debts, in the order in which discovery finds them. */
  debts: readonly string[]
  /** The day of each month on which the person opens a new card. Of these cards, discovery finds only the latest. */
  opens?: number
  /** The person's ownership type for each debt. Defaults to `primary`. */
  ownership?: Readonly<Record<string, Liability['ownership']>>
}

export const people: readonly Person[] = [
  {
    reference: 'sbx_p00',
    phone: '+15125550100',
    scenario:
      'Five mixed accounts: one payable card, one card whose full number is required, one loan, one loan that no payment can reach, and one card with a zero balance.',
    asks: [],
    debts: ['sbd_0001', 'sbd_0002', 'sbd_0003', 'sbd_0004', 'sbd_0005'],
  },
  {
    reference: 'sbx_p01',
    phone: '+15125550101',
    scenario: 'Four accounts, all payable.',
    asks: [],
    debts: ['sbd_0101', 'sbd_0102', 'sbd_0103', 'sbd_0104'],
  },
  {
    reference: 'sbx_p02',
    phone: '+15125550102',
    scenario: 'The flow asks for the date of birth. Two bureaus have a credit score.',
    bureaus: 2,
    asks: ['dob'],
    debts: ['sbd_0201', 'sbd_0202'],
  },
  {
    reference: 'sbx_p03',
    phone: '+15125550103',
    scenario: 'The flow asks for the date of birth, the address and the last four digits of the SSN.',
    asks: ['dob', 'address', 'ssn_4'],
    debts: ['sbd_0301', 'sbd_0302'],
  },
  {
    reference: 'sbx_p04',
    phone: '+15125550104',
    scenario: 'Asks three knowledge questions.',
    asks: [],
    questions: true,
    debts: ['sbd_0401', 'sbd_0402'],
  },
  {
    reference: 'sbx_p05',
    phone: '+15125550105',
    scenario:
      'No accounts at all. The person can enter a card, such as the Chase Credit Card 4936494462408721, 03/28, code 878, ZIP code 78758.',
    asks: [],
    debts: [],
  },
  {
    reference: 'sbx_p06',
    phone: '+15125550106',
    scenario: 'A thin credit file: discovery fails with 26001.',
    asks: [],
    fails: 26001,
    debts: [],
  },
  {
    reference: 'sbx_p07',
    phone: '+15125550107',
    scenario: 'A frozen credit file: discovery fails with 26002.',
    asks: [],
    fails: 26002,
    debts: [],
  },
  {
    reference: 'sbx_p08',
    phone: '+15125550108',
    scenario:
      'One card requires its full number, and every number is rejected with 16002. The other account is payable.',
    asks: [],
    debts: ['sbd_0801', 'sbd_0802'],
  },
  {
    reference: 'sbx_p09',
    phone: '+15125550109',
    scenario:
      'Slow institutions: discovery, balances, updates and number checks take about four seconds, and the third institution never returns a balance (20001) or an update (21001).',
    asks: [],
    slow: true,
    debts: ['sbd_0901', 'sbd_0902', 'sbd_0903'],
  },
  {
    reference: 'sbx_p10',
    phone: '+15125550110',
    scenario:
      'A payment to the second account is posted. Three days later, it is returned, and its status changes to reversal_required with error code 10009.',
    asks: [],
    debts: ['sbd_1001', 'sbd_1002'],
  },
  {
    reference: 'sbx_p11',
    phone: '+15125550111',
    scenario: 'A payment to the second account is rejected with PAYMENT_REFUSED_BY_RAIL when it is created.',
    asks: [],
    debts: ['sbd_1101', 'sbd_1102'],
  },
  {
    reference: 'sbx_p12',
    phone: '+15125550112',
    scenario: 'Two small debts that add up to less than any typical loan.',
    asks: [],
    debts: ['sbd_1201', 'sbd_1202'],
  },
  {
    reference: 'sbx_p20',
    phone: '+15125550120',
    scenario:
      'Everything that changes automatically: a card whose balance and limit change, a card that is replaced, a loan that is closed, and a card that is opened each month.',
    asks: [],
    debts: ['sbd_2001', 'sbd_2002', 'sbd_2003'],
    opens: 15,
  },
  {
    reference: 'sbx_p13',
    phone: '+15121231111',
    scenario: 'The standard test person, matched by name and phone: two cards and an auto loan.',
    asks: [],
    debts: ['sbd_1301', 'sbd_1302', 'sbd_1303'],
  },
  {
    reference: 'sbx_p14',
    phone: '+15121231112',
    scenario:
      'The flow asks for the date of birth. One card, one card held as an authorized user, and one closed card.',
    asks: ['dob'],
    debts: ['sbd_1401', 'sbd_1402', 'sbd_1403'],
    ownership: { sbd_1402: 'authorized' },
  },
  {
    reference: 'sbx_p15',
    phone: '+15121231113',
    scenario: 'The flow asks for the date of birth and the address. A mortgage, a student loan and a line of credit.',
    asks: ['dob', 'address'],
    debts: ['sbd_1501', 'sbd_1502', 'sbd_1503'],
  },
  {
    reference: 'sbx_p16',
    phone: '+15121231122',
    scenario:
      'Matched by name and phone. One card, and an auto loan held jointly with +15121231111. The loan has the same fingerprint for both holders.',
    asks: [],
    debts: ['sbd_1601', 'sbd_1303'],
    ownership: { sbd_1303: 'joint' },
  },
  {
    reference: 'sbx_p17',
    phone: '+16505551115',
    scenario: 'Two people match the name. Only the last four digits of the SSN distinguish them (3333 or 6789).',
    asks: ['ssn_4'],
    ssn_4: ['3333', '6789'],
    debts: ['sbd_1701', 'sbd_1702', 'sbd_1703'],
  },
]
