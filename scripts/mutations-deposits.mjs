/** Deliberate mistakes where a person verifies a bank account by two deposits. For `mutations.mjs`. */
const src = path => `apps/api/src/elements/${path}`

export const depositMutations = [
  {
    promise: 'Wrong amounts of deposits are the end after five',
    file: src('facts.ts'),
    find: "if (deposits?.status !== 'failed' || deposits.updated_at < created_at) return null",
    replace: 'if (deposits !== undefined) return null',
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
    name: 'nobody sent yet',
  },
].map(each => ({ file: src('steps/deposits.ts'), test: src('deposits.test.ts'), ...each }))
