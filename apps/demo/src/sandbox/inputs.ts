/** Inputs for the sandbox's test network. This file contains only data. The full list is in docs/sandbox.md. */

export interface Person {
  phone: string
  first_name: string
  last_name: string
  /** Completes the sentence "This person …". */
  what: string
  /** A loan amount that doesn't exceed the person's debts, as typed in the form. Defaults to `10,000`. */
  amount?: string
}

export const people: readonly [Person, ...Person[]] = [
  {
    phone: '+15125550100',
    first_name: 'Ana',
    last_name: 'Rivera',
    what: "has five debts: some are payable, one requires the card number, and one can't be paid",
  },
  { phone: '+15125550101', first_name: 'Ben', last_name: 'Okafor', what: 'has four debts, all payable' },
  { phone: '+15125550104', first_name: 'Chloe', last_name: 'Marsh', what: 'must answer three questions first' },
  { phone: '+15125550107', first_name: 'Dev', last_name: 'Patel', what: 'has a frozen credit file' },
  {
    phone: '+15125550110',
    first_name: 'Eve',
    last_name: 'Lindqvist',
    what: 'has a payment that is returned after three days; requires a $7,000 loan',
    amount: '7,000',
  },
  {
    phone: '+15125550111',
    first_name: 'Finn',
    last_name: 'Moore',
    what: 'has a payment that is rejected on release; requires a $7,000 loan',
    amount: '7,000',
  },
  { phone: '+15125550112', first_name: 'Gia', last_name: 'Romano', what: 'owes less than the loan' },
]

/** Test codes for verifying a phone number. */
export const codes = { right: '123456', wrong: '000000', expired: '111111' } as const

/** The lender's own bank account, from which all payments succeed. */
export const funding = {
  company: { name: 'Northwind Lending LLC', ein: '123456789' },
  address: { line1: '100 Congress Ave', line2: null, city: 'Austin', state: 'TX', zip: '78701' },
  ach: { routing: '062103000', number: '123456789', type: 'checking' },
} as const
