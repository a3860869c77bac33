import { isDeepStrictEqual } from 'node:util'
import { DAY_MS, MINUTE_MS } from '@causeway/contract/time'
import { createExchange, type Exchange, UnknownMethodError } from '../http/exchange.js'
import { readSharedKeys, type SharedKeys, SIGNATURE_HEADER, sign } from '../http/signature.js'
import {
  CAPABILITIES_PATH,
  capabilitiesMethod,
  type Envelope,
  endpointsByPath,
  OUTCOME_PATH,
  outcomeAnswer,
  ownMethods,
} from '../methods/contract.js'
import { type ConnectorErrorCode, connectorErrors, type Method } from '../methods/method.js'
import { OutsideError } from '../ports/outside-error.js'
import { defaultQuestions } from './questions.js'

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
class RuleViolation extends Error {}
const assertRule = (holds: boolean, problem: string): void => {
  if (!holds) throw new RuleViolation(problem)
}
/** Formats a connector's answer for a message. Truncates the answer, which can be of any size. */
const formatAnswer = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200)

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
  const send = createSender(deps)

  async function* rule(name: string, check: () => Promise<void>): AsyncGenerator<Finding> {
    try {
      await check()
      yield { rule: name, problem: null }
    } catch (error) {
      if (!(error instanceof RuleViolation) && !(error instanceof OutsideError)) throw error
      yield { rule: name, problem: error.message }
    }
  }
  const expectRejection = async (answer: Promise<{ status: number; text: string }>, code: ConnectorErrorCode) => {
    const { status, text } = await answer
    const { status: expectedStatus } = connectorErrors[code]
    assertRule(
      status === expectedStatus && text.includes(`"${code}"`),
      `expected ${expectedStatus} ${code}, got ${status} ${formatAnswer(text)}`,
    )
  }

  let methods: readonly string[] = capabilitiesMethod.absent.methods
  yield* rule(`${CAPABILITIES_PATH} lists methods of the contract, or is not implemented`, async () => {
    const listCall = call({})
    if (await isUnimplemented(exchange, CAPABILITIES_PATH, listCall)) return
    const list = parseAnswer(
      capabilitiesMethod,
      await exchange(CAPABILITIES_PATH, listCall),
    ) as typeof capabilitiesMethod.absent
    const unknown = list.methods.find(path => !endpointsByPath.has(path) && !ownMethods.has(path))
    assertRule(unknown === undefined, `answer.methods: ${formatAnswer(unknown)} is not a method`)
    assertRule(list.methods.length > 0, 'answer.methods: empty')
    methods = list.methods
  })
  const served = [...endpointsByPath].filter(([path]) => methods.includes(path))

  const sampleOf = (kind: 'read' | 'check') =>
    served.find(([path, { method }]) => method.kind === kind && path !== 'network/tables')
  // A provider that only texts codes has no read.
  const [samplePath] = (sampleOf('read') ?? sampleOf('check'))!
  const sampleQuestion = inputs[samplePath] ?? defaultQuestions[samplePath]
  const validBody = JSON.stringify(call(sampleQuestion))
  const claims = { from: 'causeway', about: samplePath, id: id() } as const
  const otherKeys = readSharedKeys(Buffer.alloc(32, 1).toString('base64'))!
  for (const [name, signature] of [
    ['Rejects a call without a signature', async () => ''],
    ['Rejects a call that another key signed', () => sign(otherKeys, validBody, claims, clock())],
    ['Rejects a call whose body was changed', () => sign(keys, `${validBody} `, claims, clock())],
    [
      'Rejects a call that was signed for another method',
      () => sign(keys, validBody, { ...claims, about: OUTCOME_PATH }, clock()),
    ],
    ['Rejects a call that was signed ten minutes ago', () => sign(keys, validBody, claims, clock() - 10 * MINUTE_MS)],
    [
      "Rejects one of the connector's responses sent as a call",
      () => sign(keys, validBody, { ...claims, from: 'connector' }, clock()),
    ],
  ] as const)
    yield* rule(name, async () => expectRejection(send(samplePath, validBody, await signature()), 'INVALID_SIGNATURE'))

  const sendSigned = async (path: string, body: string) =>
    send(path, body, await sign(keys, body, { from: 'causeway', about: path, id: id() }, clock()))
  yield* rule('Rejects a method that is not in the contract', () =>
    expectRejection(sendSigned('network/nothing', validBody), 'UNKNOWN_METHOD'),
  )
  for (const [name, body] of [
    ['Rejects a body that is not JSON', '{'],
    ['Rejects a body without a request_id', JSON.stringify({ ...call(sampleQuestion), request_id: undefined })],
    ['Rejects a question that does not match the method', JSON.stringify(call(7))],
  ] as const)
    yield* rule(name, () => expectRejection(sendSigned(samplePath, body), 'INVALID_CALL'))
  yield* rule('Ignores fields that a later contract adds to a question', async () => {
    await exchange(samplePath, { ...call({ ...sampleQuestion, later: true }), later: true } as Envelope)
  })

  for (const [path, endpoint] of served) {
    if (endpoint.method.kind === 'act') continue
    const sampleCall = call(inputs[path] ?? defaultQuestions[path])
    if (endpoint.method.absent !== undefined && (await isUnimplemented(exchange, path, sampleCall))) {
      yield { rule: `${path} returns an answer that matches the contract`, problem: null, skipped: true }
      continue
    }
    yield* rule(`${path} returns an answer that matches the contract`, async () => {
      const first = parseAnswer(endpoint.method, await exchange(path, sampleCall))
      const impossible = endpoint.method.impossible?.(sampleCall.question, first) ?? null
      assertRule(impossible === null, `answer: ${impossible}`)
      if (endpoint.method.kind === 'check' || path === 'identity/questions')
        assertRule(
          isDeepStrictEqual(parseAnswer(endpoint.method, await exchange(path, sampleCall)), first),
          'a repeated call got a different answer',
        )
    })
  }
  yield* rule('Answers each of ten concurrent calls', async () => {
    await Promise.all(Array.from({ length: 10 }, () => exchange(samplePath, call(sampleQuestion))))
  })

  const [actPath] = served.find(([, { method }]) => method.kind === 'act') ?? []
  if (actPath)
    yield* rule('Reports an action that it never received as unknown', async () => {
      const question = inputs[actPath] ?? defaultQuestions[actPath]
      const outcome = await queryOutcome(exchange, actPath, call(question))
      assertRule(!outcome.known, 'known must be false')
    })
  for (const [path, endpoint] of served) {
    if (endpoint.method.kind !== 'act') continue
    const question = inputs[path]
    if (!question) {
      yield { rule: `${path} is performed once`, problem: null, skipped: true }
      continue
    }
    const createAction = () => {
      const request_id = `check_${id()}`
      return call(path.startsWith('rail/') ? createPayment(question, request_id, clock()) : question, request_id)
    }
    yield* rule(`${path} returns the same answer when it is repeated, and reports it as the outcome`, async () => {
      const action = createAction()
      const first = parseAnswer(endpoint.method, await exchange(path, action))
      assertRule(
        isDeepStrictEqual(parseAnswer(endpoint.method, await exchange(path, action)), first),
        'the repeated action got a different answer',
      )
      const outcome = await queryOutcome(exchange, path, action)
      assertRule(
        outcome.known && isDeepStrictEqual(parseAnswer(endpoint.method, outcome.answer), first),
        `its outcome is ${formatAnswer(outcome)}`,
      )
    })
    yield* rule(`${path} returns one answer to five concurrent copies`, async () => {
      const action = createAction()
      const results = await Promise.allSettled(Array.from({ length: 5 }, () => exchange(path, action)))
      const answers = results.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
      const rejections = results.flatMap(each => (each.status === 'rejected' ? [String(each.reason)] : []))
      assertRule(
        rejections.every(text => text.includes('IN_PROGRESS')),
        `some were rejected: ${formatAnswer(rejections)}`,
      )
      assertRule(
        answers.length > 0 && answers.every(each => isDeepStrictEqual(each, answers[0])),
        `answers: ${formatAnswer(answers)}`,
      )
    })
  }
  const payment = inputs['rail/submit']
  if (payment)
    yield* rule('Does not make a payment that was canceled before it arrived', async () => {
      const request_id = `check_${id()}`
      const action = call(createPayment(payment, request_id, clock()), request_id)
      const cancellation = (await exchange('rail/cancel', action)) as { status?: unknown }
      assertRule(cancellation.status === 'canceled', `the cancellation was ${formatAnswer(cancellation)}`)
      const submission = (await exchange('rail/submit', action)) as { status?: unknown }
      assertRule(submission.status === 'refused', `the submission was ${formatAnswer(submission)}`)
    })
}

/** Returns a newly created payment or reversal that is not yet due and that the connector has never received. */
const createPayment = (question: Record<string, unknown>, id: string, now: number) => ({
  ...question,
  ...('reversal_id' in question ? { reversal_id: id, approved_at: now } : { payment_id: id }),
  created_at: now,
  source_date: new Date(now + 2 * DAY_MS).toISOString().slice(0, 10),
  destination_date: new Date(now + 4 * DAY_MS).toISOString().slice(0, 10),
})

function parseAnswer(method: Pick<Method, 'answer'>, value: unknown): unknown {
  const parsed = method.answer.safeParse(value)
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  throw new RuleViolation(`${['answer', ...path].join('.')}: ${message}`)
}

/** Returns true if the connector does not implement a method. */
const isUnimplemented = (exchange: Exchange, path: string, call: Envelope): Promise<boolean> =>
  exchange(path, call).then(
    () => false,
    error => error instanceof UnknownMethodError,
  )

async function queryOutcome(exchange: Exchange, path: string, call: Envelope) {
  const parsed = outcomeAnswer.safeParse(
    await exchange(OUTCOME_PATH, { ...call, question: { method: path, question: call.question } }),
  )
  if (!parsed.success) throw new RuleViolation(`the answer to ${OUTCOME_PATH} does not match the contract`)
  return parsed.data
}

function createSender({ url, timeout, fetch }: ConformanceDeps) {
  return async (path: string, body: string, signature: string): Promise<{ status: number; text: string }> => {
    try {
      const response = await fetch(`${url.replace(/\/$/, '')}/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(signature && { [SIGNATURE_HEADER]: signature }) },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      })
      return { status: response.status, text: await response.text() }
    } catch (error) {
      throw new RuleViolation(`no answer: ${(error as Error).name}`)
    }
  }
}
