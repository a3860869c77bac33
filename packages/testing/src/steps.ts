/** The steps of a journey as data: a driver carries out their actions in order. */
import { account, amountFor, answerWith, type Control, codes, numberOf, type ScreenName, screens } from './screens.js'

export type Action =
  /** Waits for a screen. */
  | { do: 'wait'; for: Control }
  | { do: 'press'; control: Control }
  | { do: 'fill'; control: Control; text: string }
  | { do: 'select'; control: Control; option: string }
  | { do: 'check'; control: Control }
  /** Checks every choice of a group. */
  | { do: 'check all'; of: Control }
  /** Checks the first matching choice of each matching group. */
  | { do: 'check each'; of: Control; control: Control }

export interface Verification {
  /** The number to type, if the entity has none. */
  phone?: string
  /** Default: a code that the sandbox accepts. */
  code?: string
}

/** The details that the screen asks for, by the names that the API has for them. */
export interface Details {
  first_name?: string
  last_name?: string
  /** `YYYY-MM-DD` */
  dob?: string
  /** `state` has two letters. */
  address?: { line1: string; city: string; state: string; zip: string }
  ssn_4?: string
}

interface Journey extends Verification {
  /** True for a person who proved the phone a moment ago: the flow skips those screens. */
  verified?: boolean
  /** The details, for a person of whom the flow asks for them. */
  details?: Details
  /** The answers to the questions, for a person of whom the flow asks them. In the sandbox, `'(Correct)'`. */
  answers?: string | RegExp
  /** The accounts to choose, each by a part of its name. Default: all. */
  accounts?: readonly string[]
}

export interface ConnectOptions extends Journey {
  /** A selector of the element. Default: `connect-element`. */
  element?: string
}

export interface BalanceTransferOptions extends Journey {
  /** A selector of the element. Default: `opal-balance-transfer-element`. */
  element?: string
  /** The number of each account that needs one, by a part of the account's name, in the order of the accounts. */
  numbers?: Readonly<Record<string, string>>
  /** The amounts to change, in dollars as the person types them, by a part of the account's name. */
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
    at('phone'),
    ...fillIf(screens.phone.number, phone),
    press(screens.phone.send),
    ...steps.enterCode(code),
  ],

  /** The screen submits a complete code without a button. */
  enterCode: (code: string = codes.correct): Action[] => [at('code'), fill(screens.code.code, code)],

  giveDetails({ first_name, last_name, dob, address, ssn_4 }: Details): Action[] {
    const { details } = screens
    const [year, month, day] = dob?.split('-') ?? []
    return [
      at('details'),
      ...fillIf(details.firstName, first_name),
      ...fillIf(details.lastName, last_name),
      ...fillIf(details.month, month),
      ...fillIf(details.day, day),
      ...fillIf(details.year, year),
      ...fillIf(details.line1, address?.line1),
      ...fillIf(details.city, address?.city),
      ...(address ? [{ do: 'select', control: details.state, option: address.state } as const] : []),
      ...fillIf(details.zip, address?.zip),
      ...fillIf(details.ssn4, ssn_4),
      press(details.submit),
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

function upToSelection({ verified = false, details, answers, accounts, ...verification }: Journey): Action[] {
  return [
    ...steps.consent(),
    ...(verified ? [] : steps.verifyPhone(verification)),
    ...(details ? steps.giveDetails(details) : []),
    ...(answers === undefined ? [] : steps.answerQuestions(answers)),
    ...(accounts ? steps.selectAccounts(accounts) : steps.selectAllAccounts()),
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
