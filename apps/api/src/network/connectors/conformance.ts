import { isDeepStrictEqual } from 'node:util'
import { DAY_MS } from '../../platform/time.js'
import { OutsideError } from '../ports.js'
import { type Endpoint, type Envelope, endpoints, OUTCOME, outcomeAnswer } from './contract.js'
import { noCall } from './examples.js'
import { createExchange, type Exchange, UnknownMethodError } from './exchange.js'
import { type RefusalCode, refusals } from './method.js'
import { readKeys, type SharedKeys, SIGNATURE, sign } from './signature.js'

export interface ConformanceDeps {
  url: string
  keys: SharedKeys
  timeout: number
  fetch: typeof fetch
  /** The real time, in epoch milliseconds. */
  clock(): number
  /** Returns a new id. */
  id(): string
  /**
   * The questions to send, by path, such as `rail/submit`. An action is tested only if it is listed here. Other methods
   * have default questions about people and accounts that do not exist.
   */
  inputs: Readonly<Record<string, Record<string, unknown>>>
}

/** The result of one check. `problem` is null if the rule holds. `skipped` is set if the check was not run. */
export interface Finding {
  rule: string
  problem: string | null
  skipped?: true
}

/** Thrown if the connector violates a rule. The message gives the reason. */
class Problem extends Error {}
const must = (holds: boolean, problem: string): void => {
  if (!holds) throw new Problem(problem)
}
/** Formats a connector's answer for a message. Truncates the answer, which can be of any size. */
const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200)

/** Tests a connector against the contract, and yields each rule's finding as soon as it is available. */
export async function* checkConnector(deps: ConformanceDeps): AsyncGenerator<Finding> {
  const { keys, clock, id, inputs } = deps
  const exchange = createExchange(deps)
  const call = (question: unknown, request_id = `check_${id()}`): Envelope => ({
    request_id,
    team_id: 'team_check',
    now: clock(),
    question,
  })
  const send = sender(deps)

  async function* rule(name: string, check: () => Promise<void>): AsyncGenerator<Finding> {
    try {
      await check()
      yield { rule: name, problem: null }
    } catch (error) {
      if (!(error instanceof Problem) && !(error instanceof OutsideError)) throw error
      yield { rule: name, problem: error.message }
    }
  }
  const refused = async (answer: Promise<{ status: number; text: string }>, code: RefusalCode) => {
    const { status, text } = await answer
    const { status: wanted } = refusals[code]
    must(status === wanted && text.includes(`"${code}"`), `expected ${wanted} ${code}, got ${status} ${show(text)}`)
  }

  const some = 'network/balance'
  const good = JSON.stringify(call(noCall[some]))
  const from = { from: 'causeway', about: some, id: id() } as const
  const stranger = readKeys(Buffer.alloc(32, 1).toString('base64'))!
  for (const [name, signature] of [
    ['Rejects a call without a signature', async () => ''],
    ['Rejects a call that another key signed', () => sign(stranger, good, from, clock())],
    ['Rejects a call whose body was changed', () => sign(keys, `${good} `, from, clock())],
    ['Rejects a call that was signed for another method', () => sign(keys, good, { ...from, about: OUTCOME }, clock())],
    ['Rejects a call that was signed ten minutes ago', () => sign(keys, good, from, clock() - 600_000)],
    [
      "Rejects one of the connector's responses sent as a call",
      () => sign(keys, good, { ...from, from: 'connector' }, clock()),
    ],
  ] as const)
    yield* rule(name, async () => refused(send(some, good, await signature()), 'INVALID_SIGNATURE'))

  const signed = async (path: string, body: string) =>
    send(path, body, await sign(keys, body, { from: 'causeway', about: path, id: id() }, clock()))
  yield* rule('Rejects a method that is not in the contract', () =>
    refused(signed('network/nothing', good), 'UNKNOWN_METHOD'),
  )
  for (const [name, body] of [
    ['Rejects a body that is not JSON', '{'],
    ['Rejects a body without a request_id', JSON.stringify({ ...call(noCall[some]), request_id: undefined })],
    ['Rejects a question that does not match the method', JSON.stringify(call({ account: 7 }))],
  ] as const)
    yield* rule(name, () => refused(signed(some, body), 'INVALID_CALL'))
  yield* rule('Ignores fields that a later contract adds to a question', async () => {
    await exchange(some, { ...call({ ...noCall[some], later: true }), later: true } as Envelope)
  })

  for (const [path, endpoint] of endpoints) {
    if (endpoint.method.kind === 'act') continue
    const asked = call(inputs[path] ?? noCall[path])
    if (endpoint.method.absent !== undefined && (await isUnknown(exchange, path, asked))) {
      yield { rule: `${path} returns an answer that matches the contract`, problem: null, skipped: true }
      continue
    }
    yield* rule(`${path} returns an answer that matches the contract`, async () => {
      const first = fitting(endpoint, await exchange(path, asked))
      const impossible = endpoint.method.impossible?.(asked.question, first) ?? null
      must(impossible === null, `answer: ${impossible}`)
      if (endpoint.method.kind === 'check' || path === 'identity/questions')
        must(
          isDeepStrictEqual(fitting(endpoint, await exchange(path, asked)), first),
          'a repeated call got a different answer',
        )
    })
  }
  yield* rule('Answers each of ten concurrent calls', async () => {
    await Promise.all(Array.from({ length: 10 }, () => exchange(some, call(inputs[some] ?? noCall[some]))))
  })

  yield* rule('Reports an action that it never received as unknown', async () => {
    const said = await outcomeOf(exchange, 'rail/submit', call({}))
    must(!said.known, 'known must be false')
  })
  for (const [path, endpoint] of endpoints) {
    if (endpoint.method.kind !== 'act') continue
    const question = inputs[path]
    if (!question) {
      yield { rule: `${path} is performed once`, problem: null, skipped: true }
      continue
    }
    const fresh = () => {
      const request_id = `check_${id()}`
      return call(path.startsWith('rail/') ? paymentOf(question, request_id, clock()) : question, request_id)
    }
    yield* rule(`${path} returns the same answer when it is repeated, and reports it as the outcome`, async () => {
      const act = fresh()
      const first = fitting(endpoint, await exchange(path, act))
      must(
        isDeepStrictEqual(fitting(endpoint, await exchange(path, act)), first),
        'the repeated action got a different answer',
      )
      const said = await outcomeOf(exchange, path, act)
      must(said.known && isDeepStrictEqual(fitting(endpoint, said.answer), first), `its outcome is ${show(said)}`)
    })
    yield* rule(`${path} returns one answer to five concurrent copies`, async () => {
      const act = fresh()
      const all = await Promise.allSettled(Array.from({ length: 5 }, () => exchange(path, act)))
      const answers = all.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
      const others = all.flatMap(each => (each.status === 'rejected' ? [String(each.reason)] : []))
      must(
        others.every(text => text.includes('IN_PROGRESS')),
        `some were rejected: ${show(others)}`,
      )
      must(
        answers.length > 0 && answers.every(each => isDeepStrictEqual(each, answers[0])),
        `answers: ${show(answers)}`,
      )
    })
  }
  const payment = inputs['rail/submit']
  if (payment)
    yield* rule('Does not make a payment that was canceled before it arrived', async () => {
      const request_id = `check_${id()}`
      const act = call(paymentOf(payment, request_id, clock()), request_id)
      const back = (await exchange('rail/cancel', act)) as { status?: unknown }
      must(back.status === 'canceled', `the cancellation was ${show(back)}`)
      const said = (await exchange('rail/submit', act)) as { status?: unknown }
      must(said.status === 'refused', `the submission was ${show(said)}`)
    })
}

/** Returns a newly created payment or reversal that is not yet due and that the connector has never received. */
const paymentOf = (question: Record<string, unknown>, id: string, now: number) => ({
  ...question,
  ...('reversal_id' in question ? { reversal_id: id, approved_at: now } : { payment_id: id }),
  created_at: now,
  source_date: new Date(now + 2 * DAY_MS).toISOString().slice(0, 10),
  destination_date: new Date(now + 4 * DAY_MS).toISOString().slice(0, 10),
})

function fitting({ method }: Endpoint, value: unknown): unknown {
  const read = method.answer.safeParse(value)
  if (read.success) return read.data
  const { path, message } = read.error.issues[0]!
  throw new Problem(`${['answer', ...path].join('.')}: ${message}`)
}

/** Returns true if the connector does not implement a method. */
const isUnknown = (exchange: Exchange, path: string, asked: Envelope): Promise<boolean> =>
  exchange(path, asked).then(
    () => false,
    error => error instanceof UnknownMethodError,
  )

async function outcomeOf(exchange: Exchange, path: string, about: Envelope) {
  const said = outcomeAnswer.safeParse(await exchange(OUTCOME, { ...about, question: { method: path } }))
  if (!said.success) throw new Problem(`the answer to ${OUTCOME} does not match the contract`)
  return said.data
}

function sender({ url, timeout, fetch }: ConformanceDeps) {
  return async (path: string, body: string, signature: string): Promise<{ status: number; text: string }> => {
    try {
      const answer = await fetch(`${url.replace(/\/$/, '')}/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(signature && { [SIGNATURE]: signature }) },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      })
      return { status: answer.status, text: await answer.text() }
    } catch (error) {
      throw new Problem(`no answer: ${(error as Error).name}`)
    }
  }
}
