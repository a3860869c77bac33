/** Mutations of bank account verification with two deposits. For `mutations.mjs`. */
const src = path => `apps/api/src/flow/sessions/${path}`
const step = path => `apps/api/src/flow/steps/${path}`

export const depositMutations = [
  {
    promise: 'Five incorrect attempts at the amounts lock the deposits',
    file: src('facts.ts'),
    find: "if (deposits?.status !== 'failed') return null",
    replace: 'if (deposits !== undefined) return null',
    name: 'wrong five times end the flow',
  },
  {
    promise: 'Locked deposits stay locked in every later session',
    file: src('facts.ts'),
    find: "return 'deposits_locked'",
    replace: "return deposits.updated_at < created_at ? null : 'deposits_locked'",
    name: 'wrong five times end the flow',
  },
  {
    promise: 'Deposits that the customer sent are also used in the flow',
    find: 'if (await openVerification(tx, id, TYPE)) return null',
    replace: '',
    name: 'joins a verification',
  },
  {
    promise: 'Amounts are accepted only for deposits that were sent',
    find: "if (open?.status !== 'in_progress') return fine",
    replace: 'if (!open) return fine',
    name: 'are rejected before the deposits are sent',
  },
].map(each => ({ file: step('deposits/step.ts'), test: step('deposits/step.test.ts'), ...each }))
