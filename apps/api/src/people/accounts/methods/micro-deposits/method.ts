import { randomInt } from 'node:crypto'
import { resourceCodes, ServiceError } from '@causeway/contract/errors'
import { microDepositsMethod } from '@causeway/contract/methods/micro-deposits'
import { createPortCall } from '../../../../network/ports.js'
import { readNumber } from '../../../holders/show-account.js'
import { depositLimit } from '../../attempts.js'
import { declaredAs, isAch, method } from '../method.js'

const MIN_CENTS = 20
const MAX_CENTS = 99

/** Verifies an account by sending two small deposits and asking the holder for their amounts. */
export const microDeposits = method<{ amounts: number[] }>({
  ...declaredAs(microDepositsMethod),
  proves: ['owner'],
  maxAttempts: 5,
  sessionLimit: depositLimit,
  appliesTo: isAch,
  begin() {
    const first = randomInt(MIN_CENTS, MAX_CENTS + 1)
    const second = randomInt(MIN_CENTS, MAX_CENTS)
    return { amounts: [first, second < first ? second : second + 1] }
  },
  start: {
    unreachable: resourceCodes.MICRO_DEPOSITS_FAILED,
    run: ({ scope, account, data, request_id }) =>
      scope.deps.ports.network.deposit({
        ...createPortCall(scope, request_id),
        routing: account.routing ?? '',
        number: readNumber(scope, account) ?? '',
        amounts: data['amounts'] as [number, number],
      }),
  },
  async follow({ scope, request_id }) {
    const answer = await scope.deps.ports.network.depositStatus(createPortCall(scope, request_id))
    if (answer.status === 'sent') return answer
    scope.deps.log('info', 'deposits_returned', {
      team_id: scope.team.id,
      request_id: scope.deps.requestId,
      provider_code: answer.code,
    })
    return { status: 'failed', code: resourceCodes.MICRO_DEPOSITS_FAILED }
  },
  read(block) {
    const parsed = microDepositsMethod.answer.safeParse(block)
    if (!parsed.success) throw new ServiceError('INVALID_VERIFICATION_AMOUNTS')
    return parsed.data
  },
  async check({ data }, { amounts }) {
    const sorted = (list: readonly number[]) => [...list].sort((a, b) => a - b).join()
    const isCorrect = sorted(amounts) === sorted(data['amounts'] as number[])
    return isCorrect ? { status: 'verified' } : { status: 'pending', code: resourceCodes.INVALID_DETAILS }
  },
  show: (data, verified) => ({ amounts: verified ? (data['amounts'] ?? []) : [] }),
})
