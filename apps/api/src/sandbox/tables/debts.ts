/** All debts of the people in the sandbox. A debt may have several holders. Data only. */

export interface Debt {
  /** The network's reference for the debt. */
  reference: string
  mch_id: string
  /** The full account number that the institution has on record. Null if there is none. */
  number: string | null
  /** The last digits, if they differ from the last digits of `number`. */
  mask?: string
  /** In cents. */
  balance: number
  /** Defaults to the product's setting. A product without a setting is payable. */
  payable?: 'needs_number' | 'no'
  closed_at?: string
  /** True if the institution takes about four seconds to respond to any call. */
  slow?: true
  /**
   * True if the institution never reports a balance or an update for the debt, which causes the errors 20001 and 21001.
   */
  silent?: true
  /** True if the institution never reports a payoff amount, which causes the error 18001. */
  no_payoff?: true
  /** The payoff amount, if it is fixed. */
  payoff?: Readonly<{ amount: number; per_diem_amount: number | null }>
  /** True if every number is rejected, which causes the error 16002. */
  refuses_number?: true
  /** The rail's response when this debt is paid. */
  rail?: 'returns' | 'refuses'
  /**
   * The changes on certain days of each month, in cents. The changes add up to zero, so every month starts with the
   * same values.
   */
  moves?: readonly Readonly<{ day: number; balance?: number; limit?: number }>[]
  /**
   * The day of each month on which the card is replaced. The card's number alternates between `number` and the
   * original.
   */
  reissued?: Readonly<{ day: number; number: string }>
  /** The day of the month on which a feed reports that the debt was closed. */
  closes?: number
  /** The change in the debt's limit, in cents. */
  limit?: number
  /** The card's original number. */
  replaces?: string | null
  /** The index of the card's design among the product's designs. Defaults to the first. */
  brand?: number
  /** Fixed fields of the update block. */
  update?: Readonly<Record<string, unknown>>
}

export const debts: readonly Debt[] = [
  // +15125550100
  { reference: 'sbd_0001', mch_id: 'mch_302086', number: '4000000000081580', balance: 521_240 },
  {
    reference: 'sbd_0002',
    mch_id: 'mch_301761',
    number: '4000000000090342',
    balance: 350_000,
    payable: 'needs_number',
  },
  { reference: 'sbd_0003', mch_id: 'mch_320001', number: '7000007719', balance: 189_011 },
  { reference: 'sbd_0004', mch_id: 'mch_21', number: null, balance: 1_402_000 },
  { reference: 'sbd_0005', mch_id: 'mch_300485', number: '370000000071003', balance: 0 },
  // 01
  { reference: 'sbd_0101', mch_id: 'mch_1', number: '4000000000014417', balance: 412_055 },
  { reference: 'sbd_0102', mch_id: 'mch_311289', number: '4000000000046021', balance: 268_430 },
  { reference: 'sbd_0103', mch_id: 'mch_320004', number: '7000003861', balance: 615_000 },
  { reference: 'sbd_0104', mch_id: 'mch_301760', number: '7000002954', balance: 1_180_075, no_payoff: true },
  // 02, 03, 04
  { reference: 'sbd_0201', mch_id: 'mch_320006', number: '4000000000005530', balance: 243_118 },
  { reference: 'sbd_0202', mch_id: 'mch_320001', number: '7000001206', balance: 307_744 },
  { reference: 'sbd_0301', mch_id: 'mch_301761', number: '4000000000009284', balance: 498_602 },
  { reference: 'sbd_0302', mch_id: 'mch_311289', number: '4000000000072266', balance: 122_390 },
  { reference: 'sbd_0401', mch_id: 'mch_302086', number: '4000000000023178', balance: 733_015 },
  { reference: 'sbd_0402', mch_id: 'mch_320004', number: '7000005527', balance: 284_900 },
  // 08
  {
    reference: 'sbd_0801',
    mch_id: 'mch_301761',
    number: '4000000000028045',
    balance: 376_250,
    payable: 'needs_number',
    refuses_number: true,
  },
  { reference: 'sbd_0802', mch_id: 'mch_320001', number: '7000006640', balance: 251_300 },
  // 09
  { reference: 'sbd_0901', mch_id: 'mch_1', number: '4000000000047391', balance: 364_500, slow: true },
  { reference: 'sbd_0902', mch_id: 'mch_320006', number: '4000000000004608', balance: 201_875, slow: true },
  {
    reference: 'sbd_0903',
    mch_id: 'mch_311289',
    number: '4000000000085912',
    balance: 155_000,
    slow: true,
    silent: true,
  },
  // 10, 11
  { reference: 'sbd_1001', mch_id: 'mch_302086', number: '4000000000041147', balance: 480_000 },
  { reference: 'sbd_1002', mch_id: 'mch_320006', number: '4000000000092835', balance: 295_060, rail: 'returns' },
  { reference: 'sbd_1101', mch_id: 'mch_302086', number: '4000000000006674', balance: 455_000 },
  { reference: 'sbd_1102', mch_id: 'mch_311289', number: '4000000000099053', balance: 318_240, rail: 'refuses' },
  // 12
  { reference: 'sbd_1201', mch_id: 'mch_320006', number: '4000000000093320', balance: 41_200 },
  { reference: 'sbd_1202', mch_id: 'mch_1', number: '4000000000038416', balance: 18_750 },
  // 20
  {
    reference: 'sbd_2001',
    mch_id: 'mch_311289',
    number: '4000000000061109',
    balance: 240_000,
    moves: [
      { day: 5, balance: 12_500 },
      { day: 12, limit: 100_000 },
      { day: 20, balance: -12_500 },
      { day: 26, limit: -100_000 },
    ],
  },
  {
    reference: 'sbd_2002',
    mch_id: 'mch_302086',
    number: '4000000000017713',
    balance: 130_000,
    reissued: { day: 10, number: '4000000000058824' },
  },
  { reference: 'sbd_2003', mch_id: 'mch_320001', number: '7000004418', balance: 90_000, closes: 25 },
  // +15121231111
  {
    reference: 'sbd_1301',
    mch_id: 'mch_302086',
    number: '5555555555551580',
    balance: 1_866_688,
    update: {
      last_payment_amount: 100_000,
      last_payment_date: '2023-01-04',
      next_payment_due_date: '2023-02-09',
      next_payment_minimum_amount: 51_060,
      available_credit: 930_000,
      usage_pattern: null,
    },
  },
  { reference: 'sbd_1302', mch_id: 'mch_311289', number: '4000000000007102', balance: 322_470 },
  {
    reference: 'sbd_1303',
    mch_id: 'mch_311130',
    number: '7000008130',
    balance: 6_051_200,
    payoff: { amount: 6_083_988, per_diem_amount: null },
  },
  // +15121231112
  { reference: 'sbd_1401', mch_id: 'mch_320006', number: '4000000000045049', balance: 187_520 },
  { reference: 'sbd_1402', mch_id: 'mch_1', number: '4000000000026387', balance: 90_415 },
  { reference: 'sbd_1403', mch_id: 'mch_3', number: '370000000054009', balance: 0, closed_at: '2023-06-30' },
  // +15121231113
  { reference: 'sbd_1501', mch_id: 'mch_320002', number: '7000004475', balance: 30_184_219 },
  { reference: 'sbd_1502', mch_id: 'mch_320003', number: '7000009302', balance: 1_204_338 },
  { reference: 'sbd_1503', mch_id: 'mch_320007', number: '7000007018', balance: 642_500 },
  // +15121231122
  { reference: 'sbd_1601', mch_id: 'mch_302086', number: '4000000000022790', balance: 214_633 },
  // +16505551115
  { reference: 'sbd_1701', mch_id: 'mch_320005', number: '7000001559', balance: 32_400 },
  { reference: 'sbd_1702', mch_id: 'mch_320008', number: '7000002483', balance: 71_390 },
  { reference: 'sbd_1703', mch_id: 'mch_320004', number: '7000003347', balance: 389_960 },
]
