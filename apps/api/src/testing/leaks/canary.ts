/**
 * Test helper that finds values that must not appear anywhere in plain text. A canary records the secret and personal
 * values in every request and response body. The canary then searches log lines, URLs, events and the store, where
 * these values must not appear. The check runs for each service in the API tests (leak-watch.ts), after each scenario in the
 * fault tests, and after each end-to-end test.
 */

const digits = /^\d[\d -]{7,22}\d$/
const text = /^[\s\S]{9,}$/
const token = /^\S{20,}$/

/**
 * Names of fields whose values are recorded wherever they appear. Each name is mapped to the format of a valid value,
 * because the search skips deliberately invalid input. Values with fewer than nine characters, such as a month or four
 * digits of an SSN, would match by chance.
 */
export const watchedFields: Readonly<Record<string, RegExp>> = {
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
  // A payment instrument's id is not secret. Forwarding requests contain the id in place of the number.
  token: /^(?!pmt_inst_)\S{20,}$/,
  bearer: token,
  result: token,
}

/**
 * Encrypted fields that are excluded from the search: words that may appear anywhere, ids, short values, and bank
 * identifiers.
 */
export const unsearchedFields: ReadonlySet<string> = new Set([
  'first_name',
  'legal_name',
  'type',
  'last_name',
  'name',
  'dba',
  'city',
  'routing_number',
  'billing_zip_code',
  'zip',
  'owners',
  'account_id',
  'make',
  'model',
  'series',
  'major_color',
  'style',
])

/** Six-digit codes. The search looks for codes only in log lines, as whole words. */
const codePatterns: Readonly<Record<string, RegExp>> = { sms_code: /^\d{6}$/, code: /^\d{6}$/ }

/** Matches keys and tokens by their prefix, in any field or header. */
const PREFIXED = /\b(?:sk_|pk_elem_|otkn_)[0-9A-Za-z]{20,}/g
const BEARER = /\bBearer ([\w.~+/-]{20,})/g

/** The minimum length of a recorded value. Shorter values can appear by chance. */
export const MIN_LENGTH = 9

interface Value {
  name: string
  bytes: Buffer
}

export interface Canary {
  /** The number of recorded values. */
  readonly size: number
  /** Records a value under a given name, such as `ssn`. */
  note(name: string, value: unknown): void
  /** Records the values of the fields listed in {@link watchedFields}. */
  collect(value: unknown): void
  /** Records the values in a body: JSON fields, and any keys and tokens. */
  read(body: string): void
  /** Records the keys, tokens and bearer values in a string. */
  readTokens(text: string): void
  /** Returns the name and first characters of each value found. */
  find(hay: string | Uint8Array): string[]
  /** Searches log lines. Unlike `find`, also searches for codes. */
  findInLog(log: string): string[]
}

/**
 * Returns the bitmap position of a value's last four bytes. The bitmap quickly rules out most positions in the searched
 * text.
 */
const slotOf = (key: number) => Math.imul(key, 0x9e3779b1) >>> 16

export function createCanary(): Canary {
  const values = new Set<string>()
  const codes = new Map<string, string>()
  const byEnd = new Map<number, Value[]>()
  const slots = new Uint8Array(0x1_0000)

  function note(name: string, value: unknown): void {
    if (typeof value !== 'string' || value.length < MIN_LENGTH || values.has(value)) return
    values.add(value)
    const bytes = Buffer.from(value)
    const key = bytes.readUInt32BE(bytes.length - 4)
    slots[slotOf(key)] = 1
    byEnd.set(key, [...(byEnd.get(key) ?? []), { name, bytes }])
  }

  /** Records a value both unchanged and in its stored or quoted form. */
  function noteField(name: string, value: string): void {
    if (codePatterns[name]?.test(value)) codes.set(value, name)
    const pattern = watchedFields[name]
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

  function find(searched: string | Uint8Array): string[] {
    const bytes = typeof searched === 'string' ? Buffer.from(searched) : searched
    const matches = new Set<string>()
    let key = 0
    for (let index = 0; index < bytes.length; index++) {
      key = ((key << 8) | bytes[index]!) >>> 0
      if (slots[slotOf(key)] === 0) continue
      for (const { name, bytes: value } of byEnd.get(key) ?? []) {
        const start = index + 1 - value.length
        if (start >= 0 && value.equals(bytes.subarray(start, index + 1)))
          matches.add(`${name} ${value.toString().slice(0, 6)}…`)
      }
    }
    return [...matches]
  }

  function readTokens(body: string): void {
    for (const [found] of body.matchAll(PREFIXED)) note('token', found)
    for (const [, found] of body.matchAll(BEARER)) note('bearer', found)
  }

  return {
    get size() {
      return values.size
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
        // The text is not JSON, so it has no fields.
      }
    },
    find,
    findInLog(log) {
      const words = new Set(codes.size > 0 ? log.match(/(?<![\w.])\d{6}(?![\w.])/g) : [])
      return [...find(log), ...[...codes].filter(([code]) => words.has(code)).map(([, name]) => name)]
    },
  }
}

/** Runs SQL and returns its rows. */
export type Query = (sql: string) => Promise<Record<string, unknown>[]>

/** Returns every row in every table as text. */
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
  // Uses a single query for all tables, because running separate queries would take longer than reading their results.
  const rows = await query(
    tables.map(({ name }) => `select '${name}' as name, t::text as text from "${name}" t`).join(' union all '),
  )
  return rows.map(({ name, text: row }) => ({ table: String(name), text: String(row) }))
}
