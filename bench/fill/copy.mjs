/** Copies rows. Replaces ids, keys and times wherever they appear, and re-encrypts sealed values. */
import { randomInt, randomUUID } from 'node:crypto'
import { eventDictionary } from '../../apps/api/dist/notify/events/dictionary.js'
import { createId, randomText } from '../../apps/api/dist/platform/crypto/random.js'
import { prefixes } from '../../packages/contract/dist/ids.js'

const SEALED = /^v1\.[A-Za-z0-9+/]{30,}=*$/
/** The columns whose sealed values are compressed, each with its dictionary. */
const packed = new Map([['events.data', eventDictionary]])
const ID = /\b[a-z]+(?:_[a-z]+)*_[0-9A-Za-z]{13}\b/g
const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z'
/** Numbers above this value are treated as times in epoch milliseconds, because no amount is that large. */
const EPOCH = 1_000_000_000_000
/** Tables that other tables reference, in insertion order. */
const ORDER = ['teams', 'entities', 'accounts', 'payments']
const rank = table => (ORDER.includes(table) ? ORDER.indexOf(table) : ORDER.length)

/**
 * Returns the rows with the sealed values that `sealer` can open decrypted, as `{ table, values, sealed }`. `sealed`
 * contains the owner of each sealed column.
 */
export function openRows(rows, sealer) {
  return rows
    .filter(({ table }) => table !== 'teams')
    .map(({ table, values }) => {
      const opened = { ...values }
      const sealed = {}
      for (const [column, value] of Object.entries(values)) {
        if (typeof value !== 'string' || !SEALED.test(value)) continue
        const dictionary = packed.get(`${table}.${column}`)
        const open = dictionary ? sealer.unpack : sealer.open
        const place = placesOf(column, values).find(each => {
          try {
            opened[column] = open({ id: values[each.of], field: each.field }, value, dictionary)
            return true
          } catch {
            return false
          }
        })
        if (!place)
          throw new Error(`${table}.${column} is sealed for an owner or a field that the loader does not support.`)
        sealed[column] = { ...place, dictionary }
      }
      return { table, values: opened, sealed }
    })
}

/**
 * Returns the owners that a sealed value may have: `of` is the column that contains the row's id, and `field` is the
 * field's name.
 */
const placesOf = (column, values) =>
  ['id', 'key'].filter(of => of in values).flatMap(of => [column, 'answer', 'entity'].map(field => ({ of, field })))

/**
 * Returns a function that finds all rows that belong to an id: the rows that contain the id, the rows that contain the
 * ids of those rows, and so on.
 */
export function createIndex(rows) {
  const byId = new Map()
  for (const row of rows)
    for (const id of new Set(JSON.stringify(row.values).match(ID))) byId.set(id, [...(byId.get(id) ?? []), row])
  return root => {
    const ids = new Set([root])
    const found = new Set()
    for (const id of ids)
      for (const row of byId.get(id) ?? []) {
        found.add(row)
        if (typeof row.values.id === 'string') ids.add(row.values.id)
      }
    return [...found].sort((one, other) => rank(one.table) - rank(other.table))
  }
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const timeOf = id => [...id.slice(-13, -6)].reduce((time, digit) => time * 62 + DIGITS.indexOf(digit), 0)
const kinds = Object.entries(prefixes)

/**
 * Returns a function that creates a replacement for an id, key or trace. `isTime` returns true if an id in this store
 * can contain the given time.
 */
function renewer(token, isTime) {
  if (/^\d+$/.test(token)) return () => `${randomInt(10 ** 7, 10 ** 8)}${randomInt(10 ** 6, 10 ** 7)}`
  if (/^[0-9a-f]{8}-/.test(token)) return () => randomUUID()
  const prefix = /^(?:[a-z]+_)+/.exec(token)?.[0]
  const kind = kinds.find(([, each]) => each === prefix)?.[0]
  const time = timeOf(token)
  if (kind && token.length === prefix.length + 13 && isTime(time)) return shift => createId(kind, time + shift)
  return () => prefix + randomText(token.length - prefix.length)
}

const escaped = text => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * @param rows the decrypted rows of one group
 * @param foreign ids from other groups that each copy replaces
 * @param isTime returns true if a row in this store can have the given time
 */
export function createTemplate(rows, { foreign = [], isTime }) {
  const own = new Set()
  for (const { values } of rows)
    for (const [column, value] of Object.entries(values))
      if (typeof value === 'string' && /^(id|key|idempotency_key|\w+_trace_id|trace_id)$/.test(column)) own.add(value)
  const tokens = [...own]
  const slots = new Map([...tokens, ...foreign].map((token, slot) => [token, slot]))
  const renew = tokens.map(token => renewer(token, isTime))
  // Match the longest tokens first so that a token does not match the beginning of a longer token.
  const longest = [...slots.keys()].sort((one, other) => other.length - one.length).map(escaped)
  const pattern = new RegExp(`(${[...longest, TIME].join('|')})`)
  /** Splits text into alternating fixed and variable parts. */
  const parse = text =>
    text.split(pattern).map((part, index) => (index % 2 ? (slots.get(part) ?? Date.parse(part)) : part))

  /** Returns a function that computes a column's value in a copy, or null if the value is the same in every copy. */
  function render(value, place, values) {
    if (typeof value === 'number' && value > EPOCH) return ({ shift }) => value + shift
    if (typeof value !== 'string') return null
    const parts = parse(value)
    if (parts.length === 1 && !place) return null
    const text = copy => {
      let out = parts[0]
      for (let at = 1; at < parts.length; at += 2) {
        const part = parts[at]
        out += part < EPOCH ? copy.tokens[part] : new Date(part + copy.shift).toISOString()
        out += parts[at + 1]
      }
      return out
    }
    if (!place) return text
    const id = slots.get(values[place.of])
    return copy => {
      const target = { id: copy.tokens[id], field: place.field }
      const { seal, pack } = copy.sealer
      return place.dictionary ? pack(target, text(copy), place.dictionary) : seal(target, text(copy))
    }
  }

  return {
    foreign,
    /**
     * @param vary `{ shift, sealer, foreign }`: the shift in ms, the team's sealer, and the replacements for the
     * foreign ids
     */
    draw: ({ shift, sealer, foreign: others = [] }) => ({
      shift,
      sealer,
      tokens: [...renew.map(each => each(shift)), ...others],
    }),
    /** Returns the id that replaces a template's id in a copy. */
    tokenOf: (copy, token) => copy.tokens[slots.get(token)],
    rows: rows.map(({ table, values, sealed }) => {
      const fixed = {}
      const varying = {}
      for (const [column, value] of Object.entries(values)) {
        const made = render(value, sealed[column], values)
        if (made) varying[column] = made
        else fixed[column] = value
      }
      return { table, fixed, varying, createdAt: values.created_at ?? null }
    }),
  }
}
