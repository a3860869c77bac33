/**
 * Sends generated sequences of requests for one payment each, as proxies, retry libraries and broken connections distort
 * them. Each sequence must make one payment. `ACCIDENT_RUNS` sets the number of sequences.
 */
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { SEED } from '../../testing/contract/random.js'
import { lender } from '../../testing/money.js'
import { asBytes, openApi, type RawReply } from '../../testing/raw-request.js'
import { testService } from '../../testing/service.js'

const RUNS = Number(process.env['ACCIDENT_RUNS'] ?? 120)
/** The number of sequences that run at a time. */
const BATCH_SIZE = 6

const keyForms = [
  'plain',
  'doubled',
  'tripled',
  'joined',
  'close',
  'trailing',
  'quoted',
  'quotes',
  'query',
  'queries',
  'both',
] as const
const attempt = fc.record({
  key: fc.constantFrom(...keyForms),
  body: fc.record({
    order: fc.nat({ max: 23 }),
    space: fc.constantFrom('', ' ', '\n\t', ' \r\n '),
    escaping: fc.constantFrom('none', 'all', 'upper', 'slash'),
    amount: fc.constantFrom('5000', '5e3', '5000.0', '50E+2', '500000e-2'),
  }),
  mount: fc.constantFrom('', '/enveloped'),
  version: fc.constantFrom(null, '2020-12-06', '2024-04-04', '2026-03-30'),
  end: fc.constantFrom(
    'answered',
    'answered',
    'answered',
    'cut in the headers',
    'cut in the body',
    'cut before the answer',
  ),
  /** True if the attempt starts together with the one before it. */
  isConcurrent: fc.boolean(),
})
type Attempt = typeof attempt extends fc.Arbitrary<infer T> ? T : never
const sequences = fc.record({
  keyOf: fc.constantFrom<(id: string) => string>(
    id => id,
    id => `${id}, part 2`,
    id => `loan,${id},é`,
    id => `${id} 🌸 ’x’`,
    id => `a="${id}";b`,
    id => `${id}${'y'.repeat(200)}`,
  ),
  attempts: fc.array(attempt, { minLength: 1, maxLength: 6 }),
})

const service = await testService()
const api = await openApi(service)
const { source, debts } = lender(service)
const ends = { source: (await source()).id, destination: (await debts()).accounts[0]!.id }
afterAll(() => api.close())

/** Returns the header lines and the query that carry a key in one of its forms. */
function carry(key: string, form: (typeof keyForms)[number]): { lines: string[]; query: string } {
  const line = (value: string) => `Idempotency-Key: ${asBytes(value)}`
  const query = `?idempotency_key=${encodeURIComponent(key)}`
  const quoted = key.includes('"') ? key : `"${key}"`
  switch (form) {
    case 'plain':
      return { lines: [line(key)], query: '' }
    case 'doubled':
      return { lines: [line(key), line(key)], query: '' }
    case 'tripled':
      return { lines: [line(key), line(quoted), line(key)], query: '' }
    case 'joined':
      return { lines: [line(`${key}, ${key}`)], query: '' }
    case 'close':
      return { lines: [line(`${key},${key},${key}`), line(key)], query: '' }
    case 'trailing':
      return { lines: [line(''), line(key)], query: '' }
    case 'quoted':
      return { lines: [line(quoted)], query: '' }
    case 'quotes':
      return { lines: [line(`${quoted}, ${quoted}`)], query: '' }
    case 'query':
      return { lines: [], query }
    case 'queries':
      return { lines: [], query: `${query.replaceAll('%20', '+')}&${query.slice(1)}` }
    case 'both':
      return { lines: [line(key)], query }
  }
}

const escapes: Record<string, (text: string) => string> = {
  none: text => JSON.stringify(text),
  all: text => `"${[...text].map(each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`,
  upper: text =>
    `"${[...text].map(each => `\\u${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`).join('')}"`,
  slash: text => JSON.stringify(text).replaceAll('/', '\\/'),
}

/** Writes the payment's body with other spaces, escapes, numbers and order. */
function write({ order, space, escaping, amount }: Attempt['body']): string {
  const text = escapes[escaping]!
  const nested = [`${text('b/c')}:${space}${text('x/y')}`, `${text('a')}${space}:[1.0,${space}{}]`]
  const members = [
    `${text('amount')}${space}:${amount}`,
    `${text('source')}:${text(ends.source)}`,
    `${text('destination')}:${space}${text(ends.destination)}`,
    `${text('description')}:${text('Loan 7')}`,
    `${text('metadata')}:{${(order % 2 ? nested : nested.toReversed()).join()}}`,
  ]
  const turned = [...members.slice(order % 5), ...members.slice(0, order % 5)]
  return `${space}{${(order > 11 ? turned : turned.toReversed()).join(`${space},${space}`)}}${space}`
}

/** Sends one attempt. Resolves to the response, or to null if the connection was cut. */
async function send(key: string, { key: form, body, mount, version, end }: Attempt): Promise<RawReply | null> {
  const { lines, query } = carry(key, form)
  const path = `${mount}/payments${query}`
  const header = mount === '' ? 'Service-Version' : 'Method-Version'
  const all = version === null ? lines : [...lines, `${header}: ${version}`]
  const text = write(body)
  if (end === 'answered') return api.post(path, text, all)
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${service.key}`,
    'Content-Type: application/json',
    ...all,
    `Content-Length: ${Buffer.byteLength(text)}`,
    '',
    '',
  ].join('\r\n')
  const sent = {
    'cut in the headers': head.slice(0, head.length / 2),
    'cut in the body': head + text.slice(0, text.length / 2),
    'cut before the answer': head + text,
  }[end]
  await new Promise<void>(resolve => {
    const socket = connect(api.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    socket.write(Buffer.from(sent, 'latin1'), () => socket.destroy())
  })
  return null
}

async function run({ keyOf, attempts }: { keyOf: (id: string) => string; attempts: Attempt[] }, index: number) {
  const key = keyOf(`order-${index}`)
  const replies: [string, RawReply][] = []
  let wave: Promise<void>[] = []
  for (const each of attempts) {
    if (!each.isConcurrent) {
      await Promise.all(wave)
      wave = []
    }
    wave.push(send(key, each).then(reply => void (reply && replies.push([each.mount, reply]))))
  }
  await Promise.all(wave)
  // A client repeats its request until it gets an answer. 409 and 503 mean that it should.
  let last: RawReply
  do
    last = await api.post(
      '/payments',
      write({ order: 0, space: '', escaping: 'none', amount: '5000' }),
      carry(key, 'plain').lines,
    )
  while (last.status === 409 || last.status === 503)
  replies.push(['', last])
  const rows = await service.store.reader
    .selectFrom('payments')
    .select(['id', 'amount'])
    .where('team_id', '=', service.team)
    .where('idempotency_key', '=', key)
    .execute()
  expect(rows).toEqual([{ id: expect.any(String), amount: 5_000 }])
  for (const [mount, { status, body, headers }] of replies) {
    if (status === 409 || status === 503) continue
    const { success, data, ...bare } = body as { success?: true; data?: { id: string }; id?: string }
    expect([status, headers['idempotency-mismatch'], success, mount === '' ? bare.id : data?.id]).toEqual([
      200,
      undefined,
      mount === '' ? undefined : true,
      rows[0]!.id,
    ])
  }
}

it(
  'any sequence of transport accidents of one intended payment makes one payment',
  async () => {
    const chosen = fc.sample(sequences, { numRuns: RUNS, seed: SEED })
    for (let at = 0; at < chosen.length; at += BATCH_SIZE)
      await Promise.all(
        chosen.slice(at, at + BATCH_SIZE).map((sequence, index) =>
          run(sequence, at + index).catch(error => {
            throw new Error(`Sequence ${at + index}: ${JSON.stringify(sequence)}`, { cause: error })
          }),
        ),
      )
    const payments = await service.store.reader
      .selectFrom('payments')
      .select(query => query.fn.countAll<number>().as('count'))
      .where('team_id', '=', service.team)
      .executeTakeFirstOrThrow()
    expect(Number(payments.count)).toBe(RUNS)
  },
  RUNS * 1_000 + 20_000,
)
