import { resourceCodes } from '@causeway/contract/errors'
import { snaMethod } from '@causeway/contract/methods/sna'
import { call, declaredAs, type Method, requirePhone } from '../method.js'

/** Verifies a phone silently, through its carrier. */
export const sna: Method = {
  ...declaredAs(snaMethod),
  isSilent: true,
  maxAttempts: 5,
  async initialState(scope, entity) {
    requirePhone(scope, entity)
    return { status: 'in_progress', data: { urls: [] } }
  },
  startCall: {
    waits: true,
    async run(scope, entity, row) {
      const begun = await scope.deps.ports.identity.beginSna({
        ...call(scope, row),
        phone: requirePhone(scope, entity),
      })
      return begun.status === 'ready'
        ? { status: 'in_progress', data: { urls: begun.urls } }
        : { status: 'failed', data: {}, code: resourceCodes.VERIFICATION_SESSION_FAILED_SNA }
    },
  },
  async check(scope, entity, row, _answer, last) {
    const { status } = await scope.deps.ports.identity.checkSna({
      ...call(scope, row),
      phone: requirePhone(scope, entity),
    })
    if (status === 'correct') return { status: 'verified', data: {} }
    if (status === 'pending' && !last) return { status: 'in_progress', data: {} }
    return { status: 'failed', data: {}, code: resourceCodes.VERIFICATION_SESSION_FAILED_SNA }
  },
  show: data => ({ urls: data.urls ?? [] }),
}
