import { randomInt } from 'node:crypto'
import { resourceCodes, ServiceError } from '@causeway/contract/errors'
import { microDepositsMethod } from '@causeway/contract/methods/micro-deposits'
import { callAbout } from '../../../../network/ports.js'
import { depositSends } from '../../attempts.js'
import { readNumber } from '../../show.js'
import { declaredAs, isAch, method } from '../method.js'

const LEAST = 20
const MOST = 99

/** Verifies an account by sending two small deposits and asking the holder for their amounts. */
export const microDeposits = method<{ amounts: number[] }>({
  ...declaredAs(microDepositsMethod),
  proves: ['owner'],
  tries: 5,
  begins: depositSends,
  fits: isAch,
  begin() {
    const first = randomInt(LEAST, MOST + 1)
    const second = randomInt(LEAST, MOST)
    return { amounts: [first, second < first ? second : second + 1] }
  },
  start: {
    unreachable: resourceCodes.MICRO_DEPOSITS_FAILED,
    run: ({ scope, account, data, request_id }) =>
      scope.deps.ports.network.deposit({
        ...callAbout(scope, request_id),
        routing: account.routing ?? '',
        number: readNumber(scope, account) ?? '',
        amounts: data['amounts'] as [number, number],
      }),
  },
  read(block) {
    const read = microDepositsMethod.answer.safeParse(block)
    if (!read.success) throw new ServiceError('INVALID_VERIFICATION_AMOUNTS')
    return read.data
  },
  async judge({ data }, { amounts }) {
    const sorted = (list: readonly number[]) => [...list].sort((a, b) => a - b).join()
    const right = sorted(amounts) === sorted(data['amounts'] as number[])
    return right ? { status: 'verified' } : { status: 'pending', code: resourceCodes.INVALID_DETAILS }
  },
  show: (data, verified) => ({ amounts: verified ? (data['amounts'] ?? []) : [] }),
})
