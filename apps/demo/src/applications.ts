import { MAX_LOAN_CENTS, MIN_LOAN_CENTS } from './loan.js'

/**
 * A loan application as the lender stores it. Network data (accounts, session, payments) is read from the service and
 * never copied.
 */
export interface Application {
  id: string
  /** The cookie of the browser that created the application. No other browser can open the application. */
  owner: string
  first_name: string
  last_name: string
  /** The loan amount in cents. */
  loan_amount: number
  entity_id: string
  /** The id of the balance transfer session, once it exists. */
  session_id: string | null
  /** Every token created for the application, oldest first. */
  tokens: TokenRecord[]
  /** The creation time on the service's clock, which the service's events also use. */
  created_at: string
  /** The number of changes that the service has reported. A page rendered with a smaller number is out of date. */
  told: number
  /** The result of the latest click on "Pay the rest"; null if there was none. */
  rest: RestReport | null
}

/** A token that opened, or could have opened, an element. */
export interface TokenRecord {
  /** The public id of the token. The id alone can't open an element; the token's secret part is not stored. */
  handle: string
  purpose: 'connect' | 'transfer'
  created_at: string
}

/** The result of a click on "Pay the rest", which pays the accounts that a release did not pay. */
export interface RestReport {
  /**
   * The number of attempts so far in which a payment was rejected. A repeated click sends the same number and therefore
   * uses the same idempotency keys.
   */
  attempt: number
  made: { account: string; amount: number }[]
  refused: { account: string; amount: number; sub_type: string; message: string }[]
}

/** The number of applications to keep. Older ones are deleted. */
const MAX_APPLICATIONS = 1_000

/** Keeps applications beyond the process. A real lender has a database. */
export interface ApplicationStore {
  load(): Application[]
  save(applications: Application[]): void
}

/** Stores applications. Without a store, a restart deletes them. */
export function createApplications(store?: ApplicationStore) {
  const rows = new Map(store?.load().map(application => [application.id, application]))
  const save = () => store?.save([...rows.values()])
  return {
    add(application: Application): Application {
      // The form contains the id, so submitting the same form twice creates only one application.
      const known = rows.get(application.id)
      if (known) return known
      rows.set(application.id, application)
      if (rows.size > MAX_APPLICATIONS) rows.delete([...rows.keys()][0]!)
      save()
      return application
    },
    change(application: Application, changes: Partial<Omit<Application, 'id' | 'owner'>>): void {
      Object.assign(application, changes)
      save()
    },
    find: (id: string): Application | undefined => rows.get(id),
    newestFirst: (): Application[] => [...rows.values()].reverse(),
    /** Returns the applications of people whose names contain the text, newest first. */
    named(text: string): Application[] {
      const wanted = text.trim().toLowerCase()
      return this.newestFirst().filter(each => nameOfBorrower(each).toLowerCase().includes(wanted))
    },
    /** Returns the number of changes to one application, or to all of them. */
    told: (id?: string): number =>
      id ? (rows.get(id)?.told ?? 0) : [...rows.values()].reduce((sum, { told }) => sum + told, 0),
  }
}
export type Applications = ReturnType<typeof createApplications>

export const nameOfBorrower = ({ first_name, last_name }: Application): string => `${first_name} ${last_name}`

export interface Form {
  id: string
  first_name: string
  last_name: string
  phone: string
  amount: string
}
export type FormErrors = Partial<Record<keyof Form | 'form', string>>

/**
 * Parses the form. Accepts common formats, such as a phone number with spaces or an amount with commas. `errors` is
 * empty if all values are valid.
 */
export function readForm(form: Form): { phone: string; loan_amount: number; errors: FormErrors } {
  const errors: FormErrors = {}
  if (!form.first_name) errors.first_name = 'Enter your first name.'
  if (!form.last_name) errors.last_name = 'Enter your last name.'
  const digits = form.phone.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
  if (!/^[2-9]\d{9}$/.test(digits)) errors.phone = 'Enter a United States phone number with its area code.'
  const amount = form.amount.replace(/[\s,$]/g, '')
  const loan_amount = /^\d{1,9}(\.\d{1,2})?$/.test(amount) ? Math.round(Number(amount) * 100) : 0
  if (loan_amount < MIN_LOAN_CENTS || loan_amount > MAX_LOAN_CENTS)
    errors.amount = 'Enter an amount from $1,000 to $50,000.'
  return { phone: `+1${digits}`, loan_amount, errors }
}
