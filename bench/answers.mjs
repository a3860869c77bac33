/**
 * Checks that two builds answer alike. This checkout's build and another checkout's build start on copies of one store
 * and receive the same requests: the requests of both journeys, then requests generated from the other build's OpenAPI
 * documents, valid and invalid, in every version and on both mounts. Ids, tokens and times may differ; each id of one
 * build must stand for the same id of the other.
 *   node bench/answers.mjs --with CHECKOUT [--requests 2000] [--seed 1]
 * CHECKOUT is a folder with another commit, built with `pnpm install && pnpm build`. The exit code is 1 if an answer
 * differs.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { achNumbers, achRouting } from '../apps/api/dist/sandbox/tables/inputs.js'
import { people } from '../apps/api/dist/sandbox/tables/people.js'
import { versions } from '../packages/contract/dist/versions.js'
import { call } from '../scripts/torture/http.mjs'
import { lender } from '../scripts/torture/lender.mjs'
import { answer as inputOf } from '../scripts/torture/person.mjs'
import { builtServer, secretKey, start } from '../scripts/torture/service.mjs'

const { values: options } = parseArgs({
  options: {
    with: { type: 'string', default: '' },
    requests: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
  },
})
const otherServer = join(options.with, 'apps/api/dist/main/server.js')
if (!options.with || !existsSync(otherServer)) {
  console.error('--with must name the folder of a built checkout, with apps/api/dist')
  process.exit(2)
}

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
function createRandom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
const random = createRandom(Number(options.seed))
const pick = list => list[Math.floor(random() * list.length)]

const folder = mkdtempSync(join(tmpdir(), 'causeway-answers-'))
const storeAt = name => ({ url: `file:${join(folder, name, 'store.db')}` })

/** Creates the store with the other build, and copies it for this build. */
async function createStores() {
  mkdirSync(join(folder, 'other'))
  const service = await start(storeAt('other'), {}, otherServer)
  await lender(service).debtor()
  await service.stop()
  cpSync(join(folder, 'other'), join(folder, 'this'), { recursive: true })
}

const ID = /^(?:[a-z]+_)+[0-9A-Za-z]{8,}$|^[0-9A-Za-z_-]{40,}$|^[a-z]+_[0-9a-f-]{36}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
/** This build's id for each id of the other build. */
const idOf = new Map()
/** The other build's ids of each kind, by prefix. */
const known = new Map()

/** Fields with durations, and values that the service draws at random. */
const variableFields = new Set(['ms', 'hmac_secret', 'account_number'])

/** Compares two answers, and returns the paths at which they differ. */
function differences(other, own, path = '') {
  if (Object.is(other, own)) return []
  if (typeof other === 'string' && typeof own === 'string') {
    if (TIME.test(other) && TIME.test(own)) return []
    if (ID.test(other) && ID.test(own)) {
      if (idOf.has(other)) return idOf.get(other) === own ? [] : [`${path}: another id`]
      idOf.set(other, own)
      const kind = other.slice(0, other.lastIndexOf('_') + 1)
      known.set(kind, [...(known.get(kind) ?? []), other].slice(-20))
      return []
    }
    // Sentences, URLs and keys can contain ids, times and the builds' origins.
    const parts = text =>
      text
        .replace(/127\.0\.0\.1:\d+|localhost:\d+/g, 'ORIGIN')
        .split(/([0-9A-Za-z_-]{12,}|\d{4}-\d\d-\d\dT[\d:.]+Z|\d{2}:\d{2})/)
    const [one, two] = [parts(other), parts(own)]
    const isSame = one.length === two.length && one.every((part, i) => i % 2 === 1 || part === two[i])
    return isSame ? [] : [`${path}: ${JSON.stringify(other).slice(0, 200)} / ${JSON.stringify(own).slice(0, 200)}`]
  }
  if (typeof other !== 'object' || typeof own !== 'object' || other === null || own === null)
    return [`${path}: ${JSON.stringify(other)} / ${JSON.stringify(own)}`]
  return [...new Set([...Object.keys(other), ...Object.keys(own)])].flatMap(name => {
    if (variableFields.has(name) && typeof other[name] === typeof own[name]) return []
    const twin = name in own ? name : (idOf.get(name) ?? name)
    if (!(name in other)) return [...idOf.values()].includes(name) ? [] : [`${path}.${name}: only in this build`]
    return differences(other[name], own[twin], `${path}.${name}`)
  })
}

/** Headers whose values differ from one response to the next. */
const variable = new Set([
  'date',
  'request-id',
  'etag',
  'content-length',
  'keep-alive',
  'connection',
  'content-security-policy',
])
const steady = headers => Object.fromEntries(Object.entries(headers).filter(([name]) => !variable.has(name)))

const translate = text => text.replace(/(?:[a-z]+_)+[0-9A-Za-z]{8,}|[0-9A-Za-z_-]{40,}/g, id => idOf.get(id) ?? id)

const counts = { requests: 0, different: 0 }
const byStatus = {}

const compare = (other, own) =>
  differences(
    { status: other.status, headers: steady(other.headers), body: other.json ?? other.text },
    { status: own.status, headers: steady(own.headers), body: own.json ?? own.text },
  )

/** Counts a pair of answers, and prints how they differ. */
function report(title, other, own) {
  byStatus[other.status] = (byStatus[other.status] ?? 0) + 1
  const found = compare(other, own)
  if (found.length === 0) return
  counts.different += 1
  console.log(title)
  for (const line of found.slice(0, 5)) console.log(`    ${line}`)
}

/** Sends one request to both builds and compares the answers. A job's result can be late, so a GET is repeated. */
async function both(sides, method, path, { body, headers = {}, key = secretKey, listener = 'api' } = {}) {
  counts.requests += 1
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  for (let tries = 0; ; tries += 1) {
    const [other, own] = await Promise.all([
      call(sides.other[listener], method, path, { body: text, headers, key }),
      call(sides.this[listener], method, translate(path), {
        body: text && translate(text),
        headers: JSON.parse(translate(JSON.stringify(headers))),
        key: key && translate(key),
      }),
    ])
    const isLate = method === 'GET' && tries < 20 && compare(other, own).length > 0
    if (isLate) {
      await wait(100)
      continue
    }
    report(`${method} ${path} ${text?.slice(0, 200) ?? ''} ${JSON.stringify(headers)}`, other, own)
    return other.json
  }
}

/** Sends the requests of both journeys. */
async function travel(sides, phone) {
  const post = (path, body, headers) => both(sides, 'POST', path, { body, headers })
  const corporation = await post('/entities', { type: 'corporation', corporation: { name: 'Northwind' } })
  const ach = { routing: achRouting, number: achNumbers[0].number, type: 'checking' }
  const source = await post('/accounts', { holder_id: corporation.id, ach })
  const individual = { first_name: 'Kevin', last_name: 'Doyle', phone }
  const person = await post('/entities', { type: 'individual', individual })
  for (const type of ['connect', 'balance_transfer']) {
    const token = await post('/elements/token', {
      type,
      entity_id: person.id,
      ...(type === 'connect' ? { connect: {} } : { balance_transfer: { loan_amount: 500_000 } }),
    })
    if (!token.element_token) continue
    const exchange = 'a'.repeat(32)
    const redemption = {
      token: token.element_token,
      exchange_id: exchange,
      origin: 'http://127.0.0.1:4300',
      mode: null,
    }
    let { bearer, view } = (await frame(sides, 'POST', '/s/redeem', redemption)) ?? {}
    for (let screens = 0; view && screens < 20 && !['done', 'blocked'].includes(view.step); screens += 1) {
      if (view.step === 'discovering') {
        view = await frame(sides, 'GET', '/s', undefined, bearer)
        continue
      }
      const input = inputOf(view)
      view = await frame(sides, 'POST', `/s/steps/${view.step}`, { revision: view.revision, input }, bearer)
    }
    const { session_id } = token
    if (session_id) {
      await both(sides, 'GET', `/opal/sessions/${session_id}`)
      await post(`/opal/sessions/${session_id}`, { action: 'release_payments', data: { source: source.id } })
    }
  }
}

/** Calls the frame's listener. Each build has its own origin. Waits until neither build is discovering accounts. */
async function frame(sides, method, path, body, bearer) {
  counts.requests += 1
  const text = body && JSON.stringify(body)
  for (;;) {
    const [other, own] = await Promise.all([
      call(sides.other.frame, method, path, { body: text, headers: { origin: sides.other.frameOrigin }, key: bearer }),
      call(sides.this.frame, method, translate(path), {
        body: text && translate(text),
        headers: { origin: sides.this.frameOrigin },
        key: bearer && translate(bearer),
      }),
    ])
    if (path === '/s' && [other, own].some(({ json }) => json?.step === 'discovering')) {
      await wait(100)
      continue
    }
    report(`${method} ${path}`, other, own)
    return other.json
  }
}

const strange = [null, '', 0, -1, 1.5, [], {}, true, 'x'.repeat(300), '\u0000', 'ent_unknown', '2020-02-30', 1e300]

/** Returns the body with one value replaced, or with one field removed or added. */
function spoil(body) {
  if (typeof body !== 'object' || body === null) return pick(strange)
  const copy = structuredClone(body)
  const names = Object.keys(copy)
  if (names.length === 0) return { unlisted: 1 }
  const name = pick(names)
  const turn = random()
  if (turn < 0.2) delete copy[name]
  else if (turn < 0.3) copy.unlisted = 1
  else if (turn < 0.7 && typeof copy[name] === 'object' && copy[name] !== null) copy[name] = spoil(copy[name])
  else copy[name] = pick(strange)
  return copy
}

/** Replaces ids of examples with known ids of the same kind. */
const withIds = text =>
  text.replace(/\b((?:[a-z]+_)+)[0-9A-Za-z]{6,}\b/g, (id, kind) =>
    known.has(kind) && random() < 0.9 ? pick(known.get(kind)) : id,
  )

/** Excluded: they end the run, or their answers depend on the moment, such as the log of requests. */
const excluded = /simulate\/faults|team\/keys|\/clock|POST \/teams|\/stats|GET \/requests/

async function generate(sides) {
  const documents = []
  for (const version of versions) {
    const { json } = await call(sides.other.api, 'GET', `/openapi.json?version=${version}`)
    documents.push({ version, json })
  }
  const operations = documents.flatMap(({ version, json }) =>
    Object.entries(json.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => /^(get|post|put|patch|delete)$/.test(method))
        .map(([method, operation]) => ({ version, path, method: method.toUpperCase(), operation })),
    ),
  )
  while (counts.requests < Number(options.requests)) {
    const { version, path, method, operation } = pick(operations)
    if (excluded.test(`${method} ${path}`)) continue
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
      // A parameter is named for the prefix of its ids: `ent_id`.
      const kind = name.replace(/id$/, '')
      return random() < 0.95 && known.has(kind) ? pick(known.get(kind)) : `${kind}unknown`
    })
    const query = (operation.parameters ?? []).filter(each => each.in === 'query' && random() < 0.15)
    const text = query
      .map(({ name }) => `${name}=${encodeURIComponent(pick(['1', 'x', '2026-01-01', 'desc', '0', '-1', 'active']))}`)
      .join('&')
    const content = operation.requestBody?.content?.['application/json']
    const example = content?.example ?? Object.values(content?.examples ?? {})[0]?.value
    const base = example === undefined ? undefined : JSON.parse(withIds(JSON.stringify(example)))
    const body = base === undefined ? undefined : random() < 0.6 ? base : spoil(base)
    const headers = {
      'service-version': version,
      ...(random() < 0.2 ? { 'idempotency-key': `key ${Math.floor(random() * 50)}` } : {}),
    }
    const mount = random() < 0.2 ? '/enveloped' : ''
    await both(sides, method, `${mount}${filled}${text && `?${text}`}`, { body, headers })
  }
}

await createStores()
const sides = {
  other: await start(storeAt('other'), {}, otherServer),
  this: await start(storeAt('this'), {}, builtServer),
}
for (const { phone } of people.slice(0, 4)) await travel(sides, phone)
await generate(sides)
await both(sides, 'GET', '/events?page_limit=100')
console.log(
  `${counts.requests} requests (${Object.entries(byStatus)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')}), ${counts.different} answered differently`,
)
for (const side of Object.values(sides)) await side.stop()
rmSync(folder, { recursive: true, force: true })
process.exitCode = counts.different > 0 ? 1 : 0
