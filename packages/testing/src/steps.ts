/** The steps of a journey as lists of actions, which a driver performs in order. */
import { account, amountFor, answerWith, type Control, codes, numberOf, type ScreenName, screens } from './screens.js'

export type Action =
  /** Waits for a screen. */
  | { do: 'wait'; for: Control }
  | { do: 'press'; control: Control }
  | { do: 'fill'; control: Control; text: string }
  | { do: 'select'; control: Control; option: string }
  | { do: 'check'; control: Control }
  /** Selects every choice in a group. */
  | { do: 'check all'; of: Control }
  /** Selects the first matching choice in each matching group. */
  | { do: 'check each'; of: Control; control: Control }

export interface Verification {
  /** The phone number to enter, if the entity does not have one. If it does, agreeing already requests the code. */
  phone?: string
  /** Default: a code that the sandbox accepts. */
  code?: string
}

/** The details that the screen asks for, under their API field names. */
export interface Details {
  first_name?: string
  last_name?: string
  /** `YYYY-MM-DD` */
  dob?: string
  /** `state` is a two-letter code. */
  address?: { line1: string; city: string; state: string; zip: string }
  ssn_4?: string
}

interface Journey extends Verification {
  /** True if the person recently verified their phone. The flow then skips the phone and code screens. */
  verified?: boolean
  /** The person's details, required if the flow asks for them. */
  details?: Details
  /**
   * Text that identifies the answer to choose for each question, if the flow asks questions. In the sandbox, use
   * `'(Correct)'`.
   */
  answers?: string | RegExp
  /** The accounts to choose, each identified by part of its name. Default: all. */
  accounts?: readonly string[]
}

export interface ConnectOptions extends Journey {
  /** The element's selector. Default: `connect-element`. */
  element?: string
}

export interface BalanceTransferOptions extends Journey {
  /** The element's selector. Default: `opal-balance-transfer-element`. */
  element?: string
  /**
   * True if the person linked all accounts that the loan can pay in an earlier element, for the same products. The flow
   * then skips the selection and, if they recently verified their phone, the consent.
   */
  linked?: boolean
  /**
   * The account numbers to enter, keyed by part of the account's name. List them in the order in which the flow asks
   * for them.
   */
  numbers?: Readonly<Record<string, string>>
  /**
   * The amounts to enter in place of the suggested ones, keyed by part of the account's name. Amounts are in dollars,
   * as a person would type them.
   */
  amounts?: Readonly<Record<string, string>>
}

const at = (name: ScreenName): Action => ({ do: 'wait', for: screens[name].title })
const press = (control: Control): Action => ({ do: 'press', control })
const fill = (control: Control, text: string): Action => ({ do: 'fill', control, text })
const fillIf = (control: Control, text: string | undefined): Action[] =>
  text === undefined ? [] : [fill(control, text)]

export const steps = {
  begin: (): Action[] => [at('hosted'), press(screens.hosted.begin)],

  consent: (): Action[] => [at('consent'), press(screens.consent.agree)],

  verifyPhone: ({ phone, code }: Verification = {}): Action[] => [
    ...(phone === undefined ? [] : steps.requestCode(phone)),
    ...steps.enterCode(code),
  ],

  requestCode: (phone?: string): Action[] => [
    at('phone'),
    ...fillIf(screens.phone.number, phone),
    press(screens.phone.send),
  ],

  /** The screen submits a complete code automatically, without a button. */
  enterCode: (code: string = codes.correct): Action[] => [at('code'), fill(screens.code.code, code)],

  /** The flow asks for the address on a separate screen if it also needs other details. */
  giveDetails({ first_name, last_name, dob, address, ssn_4 }: Details): Action[] {
    const { details } = screens
    const [year, month, day] = dob?.split('-') ?? []
    const identity = [
      ...fillIf(details.firstName, first_name),
      ...fillIf(details.lastName, last_name),
      ...fillIf(details.month, month),
      ...fillIf(details.day, day),
      ...fillIf(details.year, year),
      ...fillIf(details.ssn4, ssn_4),
    ]
    return [
      ...(identity.length > 0 ? [at('details'), ...identity, press(details.submit)] : []),
      ...(address
        ? [
            { do: 'wait', for: details.addressTitle } as const,
            fill(details.line1, address.line1),
            fill(details.zip, address.zip),
            { do: 'select', control: details.state, option: address.state } as const,
            fill(details.city, address.city),
            press(details.submit),
          ]
        : []),
    ]
  },

  answerQuestions: (answer: string | RegExp): Action[] => [
    at('questions'),
    { do: 'check each', of: screens.questions.question, control: answerWith(answer) },
    press(screens.questions.submit),
  ],

  selectAccounts: (names: readonly string[]): Action[] => [
    at('selection'),
    ...names.map((name): Action => ({ do: 'check', control: account(name) })),
    press(screens.selection.submit),
  ],

  selectAllAccounts: (): Action[] => [
    at('selection'),
    { do: 'check all', of: screens.selection.accounts },
    press(screens.selection.submit),
  ],

  enterNumber: (name: string, number: string): Action[] => [
    { do: 'wait', for: numberOf(name) },
    fill(screens.number.number, number),
    press(screens.number.submit),
  ],

  skipNumber: (name: string): Action[] => [{ do: 'wait', for: numberOf(name) }, press(screens.number.skip)],

  setAmounts: (amounts: Readonly<Record<string, string>> = {}): Action[] => [
    at('allocation'),
    ...Object.entries(amounts).map(([name, text]) => fill(amountFor(name), text)),
    press(screens.allocation.submit),
  ],

  confirmPayments: (): Action[] => [at('review'), press(screens.review.confirm)],

  done: (): Action[] => [at('done'), press(screens.done.close)],
}

function upToSelection(journey: Journey & Pick<BalanceTransferOptions, 'linked'>): Action[] {
  const { verified = false, linked = false, details, answers, accounts, ...verification } = journey
  return [
    ...(verified && linked ? [] : steps.consent()),
    ...(verified ? [] : steps.verifyPhone(verification)),
    ...(details ? steps.giveDetails(details) : []),
    ...(answers === undefined ? [] : steps.answerQuestions(answers)),
    ...(linked ? [] : accounts ? steps.selectAccounts(accounts) : steps.selectAllAccounts()),
  ]
}

export const journeys = {
  connect: (options: ConnectOptions = {}): Action[] => [...upToSelection(options), ...steps.done()],

  balanceTransfer: ({ numbers = {}, amounts, ...options }: BalanceTransferOptions = {}): Action[] => [
    ...upToSelection(options),
    ...Object.entries(numbers).flatMap(([name, number]) => steps.enterNumber(name, number)),
    ...steps.setAmounts(amounts),
    ...steps.confirmPayments(),
    ...steps.done(),
  ],
}
