/** Inputs with special effects. Data only. `what` is the description in docs/sandbox.md. */
import type { ErrorSubType, ResourceErrorCode } from '@causeway/contract/errors'

/** Any other six digits are accepted. */
export const codes = { incorrect: '000000', expired: '111111' } as const

/** Codes can't be texted to this number. */
export const refusedPhone = '+15125550199'

/**
 * The URL to which the sandbox redirects phones. No server exists at this URL, but a test can intercept the request in
 * the browser.
 */
export const carrier = 'https://sna.causeway.example'

/** The carrier never confirms that a phone has this number. */
export const deniedPhone = '+15125550198'

/** Details that don't match anyone. `ssn_4` has an effect only for people who are prompted for it. */
export const refusedDetails = { last_name: 'Nomatch', ssn_4: '0000' } as const

/**
 * Social Security numbers that the sandbox rejects, each with the code that disables the entity. Numbers like these are
 * never issued to real people.
 */
export const screened: Readonly<Record<string, 12002 | 12003 | 12005 | 12006>> = {
  '900120002': 12002,
  '900120003': 12003,
  '900120005': 12005,
  '900120006': 12006,
}

/** Limits on full account numbers. A number must also end in the account's mask. */
export const fullNumber = { least: 8, most: 19, refusedStart: '0000' } as const

/** The merchant and number that tests and docs/sandbox.md use to describe a debt. */
export const describedExample = { mch_id: 'mch_302086', number: '4936494462408721' } as const

/** In ms. */
export const delays = { slowInstitution: 4000, fault: 3000, creditScore: 5000 } as const

/** A routing number with a valid check digit. The sandbox checks only the account number. */
export const achRouting = '062103000'

export interface AchNumber {
  number: string
  what: string
  /** Payments above this amount in cents are rejected: with `sub_type` on creation, or with `code` on submission. */
  refuses?: { above: number; sub_type: ErrorSubType; code: ResourceErrorCode }
  /** The rail accepts the payment when checking it before creation, but rejects it on submission with this code. */
  submit?: ResourceErrorCode
  /** The network does not vouch for the account, so it must be verified. */
  unknown?: true
  /** Micro-deposits to the account are returned. */
  refusesDeposits?: true
  /** Debiting the account fails, before or after the payment is sent. */
  pull?: { status: 'failed' | 'reversal_required'; code: ResourceErrorCode }
  /**
   * Payments from the account are returned this many days after they post. `part` is the returned amount in cents;
   * without it, the full amount is returned.
   */
  comesBack?: { days: number; code: ResourceErrorCode; part?: number }
  /** Reversals fail if they debit or credit the account. */
  reversal?: ResourceErrorCode
}

export const achNumbers: readonly AchNumber[] = [
  { number: '123456789', what: 'Everything works. Any number that is not in this table works too.' },
  {
    number: '1000000001',
    what: 'The account holds $50.00. A larger payment is rejected with INSUFFICIENT_FUNDS when it is created.',
    refuses: { above: 5_000, sub_type: 'INSUFFICIENT_FUNDS', code: 10001 },
  },
  {
    number: '1000000002',
    what: 'The payment is rejected with PAYMENT_REFUSED_BY_RAIL when it is created.',
    refuses: { above: 0, sub_type: 'PAYMENT_REFUSED_BY_RAIL', code: 10003 },
  },
  {
    number: '1000000003',
    what: 'The account accepts at most $1,000.00 per payment. A larger payment is rejected with MAX_AMOUNT_EXCEEDED, so a release with several payments may create only some of them.',
    refuses: { above: 100_000, sub_type: 'MAX_AMOUNT_EXCEEDED', code: 10010 },
  },
  {
    number: '1000000004',
    what: 'The payment is created, then rejected with 10003 when it is submitted.',
    submit: 10003,
  },
  {
    number: '1000000005',
    what: 'The payment starts processing, then fails with 10001: insufficient funds.',
    pull: { status: 'failed', code: 10001 },
  },
  {
    number: '1000000006',
    what: 'The payment starts processing, then fails with 10005: not authorized.',
    pull: { status: 'failed', code: 10005 },
  },
  {
    number: '1000000007',
    what: 'The payment starts processing, then fails with 10007: no such account.',
    pull: { status: 'failed', code: 10007 },
  },
  {
    number: '1000000008',
    what: "The payment is sent. The next morning, the payment's status changes to reversal_required with 10002, because the holder disputed the debit.",
    pull: { status: 'reversal_required', code: 10002 },
  },
  {
    number: '1000000011',
    what: 'The payment is created, then canceled with 10004 when it is submitted, because of insufficient funds.',
    submit: 10004,
  },
  {
    number: '1000000012',
    what: 'The payment is sent and posted. The destination returns the payment the next day with 10006: not authorized.',
    comesBack: { days: 1, code: 10006 },
  },
  {
    number: '1000000013',
    what: 'The payment is sent and posted. The destination returns the payment the next day with 10008: no such account.',
    comesBack: { days: 1, code: 10008 },
  },
  {
    number: '1000000014',
    what: "The payment is sent and posted. The destination returns the payment the next day with 10010, because of the payment's amount.",
    comesBack: { days: 1, code: 10010 },
  },
  {
    number: '1000000015',
    what: "The payment is sent and posted. The holder disputes the debit 59 days later, and the payment's status changes to reversal_required with 10002.",
    comesBack: { days: 59, code: 10002 },
  },
  {
    number: '1000000016',
    what: 'The payment is sent and posted. The next day, the destination returns $1.00 of the payment, and the status changes to partial_reversal_processing with 10010.',
    comesBack: { days: 1, code: 10010, part: 100 },
  },
  {
    number: '1000000017',
    what: "The payment is sent. The next morning, the payment's status changes to reversal_required with 10001. A reversal fails with 14001.",
    pull: { status: 'reversal_required', code: 10001 },
    reversal: 14001,
  },
  {
    number: '1000000018',
    what: "The payment is sent. The next morning, the payment's status changes to reversal_required with 10002. A reversal fails with 14002.",
    pull: { status: 'reversal_required', code: 10002 },
    reversal: 14002,
  },
  {
    number: '1000000019',
    what: "The payment is sent. The next morning, the payment's status changes to reversal_required with 10003. A reversal fails with 14003.",
    pull: { status: 'reversal_required', code: 10003 },
    reversal: 14003,
  },
  {
    number: '1000000009',
    what: 'The account is not verified when it is created. Verify it with micro-deposits, which arrive immediately. The person can do this in a flow with the mode account_verification, or your server can use a verification session. `GET /simulate/accounts/{id}/verification_sessions/{avf}/amounts` returns the amounts in both cases.',
    unknown: true,
  },
  {
    number: '1000000010',
    what: 'The account is not verified when it is created, and micro-deposits to it are returned with 16004.',
    unknown: true,
    refusesDeposits: true,
  },
]

/** The team's own provisioner vouches for accounts with this routing number. */
export const trustedRouting = '021000021'

/** A billing ZIP code that can't be checked. The check's result is `unavailable`, and the card passes. */
export const unknownZip = '00000'

/** Times of day in the time zone `zone`, and periods in days. */
export const timetable = {
  zone: 'America/Chicago',
  windows: ['10:30', '13:30', '16:30'],
  sent: '18:00',
  posted: '13:30',
  disputed: '09:00',
  returned: '13:30',
  returnedAfterDays: 3,
} as const

interface PreauthResult {
  ownership?: 'no_match' | 'fuzzy_match' | 'identity_not_found'
  standing?: 'closed'
  likelihood?: number
}
/** The preauth signals of cards, by the last four digits. Any other card is open, and matches its owner. */
export const preauthCards: Readonly<Record<string, PreauthResult>> = {
  '0001': { ownership: 'no_match' },
  '0002': { ownership: 'fuzzy_match' },
  '0003': { ownership: 'identity_not_found' },
  '0004': { standing: 'closed', likelihood: 0 },
  '0005': { likelihood: 0.2 },
}
