/** Mutations of bank account verification with two deposits. For `mutations.mjs`. */
const src = path => `apps/api/src/flow/sessions/${path}`
const step = path => `apps/api/src/flow/steps/${path}`

export const depositMutations = [
  {
    promise: 'Wrong amounts of deposits are the end after five',
    file: src('facts.ts'),
    find: "if (deposits?.status !== 'failed') return null",
    replace: 'if (deposits !== undefined) return null',
    name: 'five times wrong',
  },
  {
    promise: 'Wrong amounts of deposits are the end in every later session too',
    file: src('facts.ts'),
    find: "return 'deposits_locked'",
    replace: "return deposits.updated_at < created_at ? null : 'deposits_locked'",
    name: 'five times wrong',
  },
  {
    promise: 'Deposits that the customer sent are as good as ours',
    find: 'if (await openVerification(tx, id, TYPE)) return null',
    replace: '',
    name: 'joins a verification',
  },
  {
    promise: 'Amounts are taken of deposits that left alone',
    find: "if (open?.status !== 'in_progress') return fine",
    replace: 'if (!open) return fine',
    name: 'that were not sent yet',
  },
].map(each => ({ file: step('deposits/step.ts'), test: step('deposits/step.test.ts'), ...each }))
