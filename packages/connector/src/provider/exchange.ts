import { type Exchange, UnknownMethodError } from '../http/exchange.js'
import {
  CAPABILITIES_PATH,
  type Envelope,
  endpointsByPath,
  OUTCOME_PATH,
  outcomeQuestion,
  STATEMENT_PATH,
  statementMethod,
} from '../methods/contract.js'
import { OutsideError } from '../ports/outside-error.js'
import { type Provider, type ProviderContext, servesMethod } from './provider.js'

/** Stores the answers to acts and checks, so that a repeated call gets the first answer. */
export interface StoredAnswers {
  /** @param check the question of a check, or null for an act, of which there is one for each request id */
  find(path: string, call: Envelope, check: unknown): Promise<{ answer: unknown } | undefined>
  /** Stores an answer unless there is one. Returns the stored answer. */
  save(path: string, call: Envelope, check: unknown, answer: unknown): Promise<unknown>
}

export interface ProviderExchangeDeps {
  provider: Provider
  /** Creates the context of a call. */
  contextOf(call: Envelope): ProviderContext
  answers: StoredAnswers
}

/** Creates the function that calls a provider in this process, with the same rules as for a connector over HTTP. */
export function createProviderExchange({ provider, contextOf, answers }: ProviderExchangeDeps): Exchange {
  const portCall = ({ question, request_id, team_id, now }: Envelope) => ({
    ...(question as object),
    request_id,
    team_id,
    now,
  })

  async function findOutcome(call: Envelope): Promise<unknown> {
    const { method, question } = outcomeQuestion.parse(call.question)
    const stored = await answers.find(method, call, null)
    if (stored) return { known: true, answer: stored.answer }
    const lookup = provider.outcomes[method]
    if (!lookup) throw new UnknownMethodError(`${provider.title} has no ${method}.`, rejected)
    const outcome = await lookup.find(contextOf(call), portCall({ ...call, question }))
    return outcome.known
      ? { known: true, answer: await answers.save(method, call, null, outcome.answer ?? null) }
      : outcome
  }

  return async (path, call) => {
    if (path === OUTCOME_PATH) return findOutcome(call)
    const { settings } = contextOf(call)
    if (path === CAPABILITIES_PATH) {
      const { routes = [], discovery = 'search', persons = 'any', company } = provider.capabilities(settings)
      return {
        methods: [
          ...[...endpointsByPath.keys()].filter(each => servesMethod(provider, settings, each)),
          ...(provider.statement ? [STATEMENT_PATH] : []),
        ],
        routes,
        discovery,
        persons,
        ...(company !== undefined && { company }),
      }
    }
    if (path === STATEMENT_PATH && provider.statement)
      return provider.statement(contextOf(call), statementMethod.question.parse(call.question))
    const handler = provider.provides[path]
    const endpoint = endpointsByPath.get(path)
    if (!handler || !endpoint || !servesMethod(provider, settings, path))
      throw new UnknownMethodError(`${provider.title} has no ${path}.`, rejected)
    const question = endpoint.method.question.safeParse(call.question)
    if (!question.success) throw new OutsideError(`The question to ${path} does not match the contract.`, rejected)
    const { kind } = endpoint.method
    const check = kind === 'check' ? question.data : null
    const stored = kind === 'read' ? undefined : await answers.find(path, call, check)
    if (stored) return stored.answer
    const answer = (await handler(contextOf(call), portCall({ ...call, question: question.data }))) ?? null
    if (kind === 'read') return answer
    // An answer outside the contract is not stored, because the next call may get a better one.
    return endpoint.method.answer.safeParse(answer).success ? answers.save(path, call, check, answer) : answer
  }
}

const rejected = { outcome: 'nothing', retryable: false } as const
