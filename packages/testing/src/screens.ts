/**
 * The screens of the two main journeys, declared once for all drivers. Each entry identifies a screen's English title
 * and controls by role and accessible name. A string must match the entire name.
 */

/** `choice` is a checkbox or a radio button. */
export type Role = 'button' | 'textbox' | 'combobox' | 'choice' | 'group' | 'heading'

export interface Control {
  readonly role: Role
  readonly name: string | RegExp
}

const control =
  (role: Role) =>
  (name: string | RegExp): Control => ({ role, name })
const heading = control('heading')
const button = control('button')
const textbox = control('textbox')

export const screens = {
  /** The first screen of a hosted page, or of the person's own page. */
  hosted: {
    title: heading(/^(?:Continue|What you share) with .+$/),
    begin: button('Begin'),
  },
  consent: {
    title: heading(
      /^(?:Let’s find the debts your loan will pay off|Ready to .+\?|Share your card purchases with .+\?)$/,
    ),
    agree: button('Agree and continue'),
  },
  phone: {
    title: heading(/^(?:Can we text you a code|What’s your mobile number)\?$/),
    number: textbox('Mobile number'),
    send: button('Text me a code'),
  },
  code: {
    title: heading('Enter the code we sent'),
    code: textbox('Six-digit code'),
  },
  details: {
    title: heading(/^(?:Tell us about you|Are these details right\?|Where do you live\?|Is this your address\?)$/),
    addressTitle: heading(/^(?:Where do you live|Is this your address)\?$/),
    firstName: textbox('First name'),
    lastName: textbox('Last name'),
    month: textbox('Month'),
    day: textbox('Day'),
    year: textbox('Year'),
    line1: textbox('Street address'),
    city: textbox('City'),
    state: control('combobox')('State'),
    zip: textbox('ZIP code'),
    ssn4: textbox('Last four digits of your SSN'),
    submit: button('Continue'),
  },
  questions: {
    title: heading('Can you answer a few questions?'),
    question: control('group')(/./),
    submit: button('Check my answers'),
  },
  selection: {
    title: heading(
      /^(?:Which (?:accounts?|cards?) should .+\?|These are the accounts the loan can pay|Share these accounts with .+\?)$/,
    ),
    accounts: control('group')('Accounts you can choose'),
    submit: button(/^Continue with /),
  },
  number: {
    title: heading(/^What’s the number of your .+\?$/),
    number: textbox(/^(?:Account|Card) number$/),
    skip: button('Skip this account'),
    submit: button('Check this number'),
  },
  allocation: {
    title: heading(/^Split your .+ loan$/),
    submit: button('Review payments'),
  },
  review: {
    title: heading('Check and confirm'),
    confirm: button('Confirm payments'),
  },
  done: {
    title: heading(/^Your (?:payments are confirmed|accounts? (?:is|are) connected|cards? (?:is|are) connected)$/),
    close: button('Done'),
  },
} as const satisfies Record<string, { title: Control } & Record<string, Control>>

export type ScreenName = keyof typeof screens

/** Sandbox codes. The sandbox accepts any six digits except the codes `incorrect` and `expired`. */
export const codes = { correct: '123456', incorrect: '000000', expired: '111111' } as const

/**
 * Matches text that contains the given text, ignoring case. A straight apostrophe also matches the typographic
 * apostrophe used on the screens.
 */
export function containing(text: string | RegExp): RegExp {
  if (typeof text !== 'string') return text
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/['’]/g, "['’]"), 'i')
}

/**
 * An account that a person can choose, identified by any part of its name, such as the card's name or its last four
 * digits.
 */
export const account = (name: string): Control => control('choice')(containing(name))

/** The amount field for an account. */
export const amountFor = (name: string): Control => textbox(new RegExp(`^Amount for .*${containing(name).source}`, 'i'))

/** The title of the screen that asks for an account number. */
export const numberOf = (name: string): Control =>
  heading(new RegExp(`^What’s the number of your .*${containing(name).source}`, 'i'))

/** The answer choice that contains the given text. */
export const answerWith = (text: string | RegExp): Control => control('choice')(containing(text))
