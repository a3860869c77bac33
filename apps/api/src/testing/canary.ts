/**
 * For tests alone: finds what must stand nowhere in plain text. A canary is shown every body that goes in or out, keeps
 * the values that are secret or personal, and looks for them where they must not be: log lines, URLs, events, the
 * store. The tests of the api do it for each service (watch.ts), the torture for each trial and the end-to-end tests
 * for each test.
 */

const digits = /^\d[\d -]{7,22}\d$/
const text = /^[\s\S]{9,}$/
const token = /^\S{20,}$/

/**
 * Fields whose values are kept, by name, wherever they stand; and how such a value looks, so that what was sent to be
 * refused is not looked for. What has fewer than nine characters would be found by chance: four digits of an SSN, a month.
 */
export const watched: Readonly<Record<string, RegExp>> = {
  ssn: digits,
  ein: digits,
  number: digits,
  account_number: digits,
  phone: /^\+?\d{10,15}$/,
  email: /^[^\s@]{3,}@[^\s@]+\.[^\s@]+$/,
  dob: /^\d{4}-\d\d-\d\d$/,
  line1: text,
  line2: text,
  street: text,
  address: text,
  address_street: text,
  vin: /^\w{11,17}$/,
  auth_token: text,
  hmac_secret: text,
  element_token: token,
  // The id of a payment instrument stands for the number that it is forwarded as.
  token: /^(?!pmt_inst_)\S{20,}$/,
  bearer: token,
  result: token,
}

/** Fields that are sealed and not looked for: words, which may stand anywhere, ids, what is short, and what names a bank. */
export const words: ReadonlySet<string> = new Set([
  'first_name',
  'last_name',
  'name',
  'dba',
  'city',
  'routing_number',
  'billing_zip_code',
  'owners',
  'account_id',
  'make',
  'model',
  'series',
  'major_color',
  'style',
])

/** Codes of six digits: looked for in log lines alone, as words of their own. */
const codes: Readonly<Record<string, RegExp>> = { sms_code: /^\d{6}$/, code: /^\d{6}$/ }

/** Keys and tokens, by their prefix, in whatever field or header. */
const PREFIXED = /\b(?:sk_|pk_elem_|otkn_)[0-9A-Za-z]{20,}/g
const BEARER = /\bBearer ([\w.~+/-]{20,})/g

/** Characters that a value has at least: shorter ones stand anywhere by chance. */
export const LEAST = 9

interface Value {
  name: string
  bytes: Buffer
}

export interface Canary {
  /** The number of values are looked for. */
  readonly size: number
  /** Keeps a value under a name such as `ssn`. */
  note(name: string, value: unknown): void
  /** Keeps what the fields of a value hold, by {@link watched}. */
  collect(value: unknown): void
  /** Keeps what a text holds: a body of JSON by its fields, keys and tokens anywhere. */
  read(body: string): void
  /** Keeps the keys, tokens and bearers that a text holds. */
  readTokens(text: string): void
  /** The findings: names, each with the value's beginning. */
  find(hay: string | Uint8Array): string[]
  /** The same of log lines, where codes are looked for too. */
  findInLog(log: string): string[]
}

/** A bitmap of values' last four bytes, looked up first: a bit rules out most places from the few candidates. */
const slotOf = (key: number) => Math.imul(key, 0x9e3779b1) >>> 16

export function createCanary(): Canary {
  const known = new Set<string>()
  const short = new Map<string, string>()
  const byEnd = new Map<number, Value[]>()
  const slots = new Uint8Array(0x1_0000)

  function note(name: string, value: unknown): void {
    if (typeof value !== 'string' || value.length < LEAST || known.has(value)) return
    known.add(value)
    const bytes = Buffer.from(value)
    const key = bytes.readUInt32BE(bytes.length - 4)
    slots[slotOf(key)] = 1
    byEnd.set(key, [...(byEnd.get(key) ?? []), { name, bytes }])
  }

  /** As it is, and as it is spelled where it is kept or quoted. */
  function noteField(name: string, value: string): void {
    if (codes[name]?.test(value)) short.set(value, name)
    const pattern = watched[name]
    if (!pattern?.test(value)) return
    note(name, value)
    note(name, pattern === digits ? value.replace(/\D/g, '') : JSON.stringify(value).slice(1, -1))
  }

  function collect(value: unknown, name = ''): void {
    if (typeof value === 'string') noteField(name, value)
    else if (Array.isArray(value)) for (const item of value) collect(item, name)
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) collect(inner, key)
  }

  function find(hay: string | Uint8Array): string[] {
    const bytes = typeof hay === 'string' ? Buffer.from(hay) : hay
    const found = new Set<string>()
    let key = 0
    for (let at = 0; at < bytes.length; at++) {
      key = ((key << 8) | bytes[at]!) >>> 0
      if (slots[slotOf(key)] === 0) continue
      for (const { name, bytes: value } of byEnd.get(key) ?? []) {
        const start = at + 1 - value.length
        if (start >= 0 && value.equals(bytes.subarray(start, at + 1)))
          found.add(`${name} ${value.toString().slice(0, 6)}…`)
      }
    }
    return [...found]
  }

  function readTokens(body: string): void {
    for (const [found] of body.matchAll(PREFIXED)) note('token', found)
    for (const [, found] of body.matchAll(BEARER)) note('bearer', found)
  }

  return {
    get size() {
      return known.size
    },
    note,
    collect: value => collect(value),
    readTokens,
    read(body) {
      readTokens(body)
      if (!/^\s*[{[]/.test(body)) return
      try {
        collect(JSON.parse(body))
      } catch {
        // Not JSON, and so of no fields.
      }
    },
    find,
    findInLog(log) {
      const words = new Set(short.size > 0 ? log.match(/(?<![\w.])\d{6}(?![\w.])/g) : [])
      return [...find(log), ...[...short].filter(([code]) => words.has(code)).map(([, name]) => name)]
    },
  }
}

/** Runs SQL and gives its rows. */
export type Query = (sql: string) => Promise<Record<string, unknown>[]>

/** Every row of every table, as text. */
export async function dump(
  engine: 'sqlite' | 'postgres',
  query: Query,
): Promise<{ table: string; column?: string; text: string }[]> {
  if (engine === 'sqlite') {
    const tables = await query("select name from sqlite_master where type = 'table'")
    const dumped = []
    for (const { name } of tables)
      for (const row of await query(`select * from "${name}"`))
        for (const [column, value] of Object.entries(row))
          if (typeof value === 'string') dumped.push({ table: String(name), column, text: value })
    return dumped
  }
  const tables = await query("select table_name as name from information_schema.tables where table_schema = 'public'")
  // One question for all: asking for each costs more than the answers.
  const rows = await query(
    tables.map(({ name }) => `select '${name}' as name, t::text as text from "${name}" t`).join(' union all '),
  )
  return rows.map(({ name, text: row }) => ({ table: String(name), text: String(row) }))
}
