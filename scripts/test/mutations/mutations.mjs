/**
 * The mutations that `pnpm mutate` applies, each of which must make at least one test fail. One entry is enough for
 * each line of code that enforces a guarantee. Choose lines whose failure would cost money or leak data, and name the
 * test that covers each line.
 *   promise   the guarantee that the line provides, as a sentence
 *   file      the module's path from the root; `find` must occur in it exactly once
 *   test      the test file that must fail; `name`, a pattern for titles, limits the run to the matching tests
 *   engine    'postgres' if only that engine reveals the mutation; default: SQLite
 */

import { accessMutations } from './mutations-access.mjs'
import { connectorMutations } from './mutations-connectors.mjs'
import { consentMutations } from './mutations-consent.mjs'
import { consoleMutations } from './mutations-console.mjs'
import { depositMutations } from './mutations-deposits.mjs'
import { hostedMutations } from './mutations-hosted.mjs'
import { idempotencyMutations } from './mutations-idempotency.mjs'
import { identityMutations } from './mutations-identity.mjs'
import { kitMutations } from './mutations-kit.mjs'
import { leakMutations } from './mutations-leaks.mjs'
import { loadMutations } from './mutations-load.mjs'
import { moneyMutations } from './mutations-money.mjs'
import { operationMutations } from './mutations-operations.mjs'
import { phoneMutations } from './mutations-phone.mjs'
import { preparedMutations } from './mutations-prepared.mjs'
import { proofMutations } from './mutations-proof.mjs'
import { sdkMutations } from './mutations-sdk.mjs'
import { secrecyMutations } from './mutations-secrecy.mjs'
import { serviceMutations } from './mutations-service.mjs'
import { transferMutations } from './mutations-transfer.mjs'
import { webhookMutations } from './mutations-webhooks.mjs'

const allocations = 'packages/contract/src/allocations.ts'
const allocationsTest = 'packages/contract/src/allocations.test.ts'
const frame = 'packages/contract/src/frame.ts'
const frameTest = 'packages/contract/src/frame.test.ts'

export const mutations = [
  {
    promise: 'No account receives more than maximum_payment',
    file: allocations,
    find: 'else if (amount > terms.maximum_payment)',
    replace: 'else if (amount > terms.maximum_payment + 1)',
    test: allocationsTest,
  },
  {
    promise: 'The total never exceeds the loan',
    file: allocations,
    find: 'if (sum > terms.loan_amount)',
    replace: 'if (sum > terms.loan_amount + 1)',
    test: allocationsTest,
  },
  {
    promise: 'No more than residual_amount_max is left over',
    file: allocations,
    find: 'if (residual > terms.residual_amount_max)',
    replace: 'if (residual > terms.residual_amount_max + 1)',
    test: allocationsTest,
  },
  {
    promise: 'An amount is whole cents',
    file: allocations,
    find: '!Number.isSafeInteger(amount) || amount < 0',
    replace: 'amount < 0',
    test: allocationsTest,
  },
  {
    promise: 'A limit is declared once: the check, the document and every text use it',
    file: 'packages/contract/src/money.ts',
    find: 'DESCRIPTION_MAX = 10\n',
    replace: 'DESCRIPTION_MAX = 11\n',
    test: 'apps/api/src/main/openapi/bodies.test.ts',
  },
  {
    promise: 'A contract change that breaks clients fails',
    file: 'packages/contract/src/resources/payment.ts',
    find: '  source_trace_id: z.string().nullable()',
    replace: '  source_trace_id: z.string().optional()',
    test: 'apps/api/src/main/openapi/breaking.test.ts',
    name: 'breaks no client of the baseline',
  },
  {
    promise: 'Terms that no selection satisfies are detected before the person types',
    file: allocations,
    find: 'terms.minimum_payment * (index + 1) > terms.loan_amount',
    replace: 'terms.minimum_payment > terms.loan_amount',
    test: allocationsTest,
  },
  {
    promise: 'A frame receives only a well-formed one-time token',
    file: frame,
    find: 'token === null || readHandle(token)',
    replace: "token === null || typeof token === 'string'",
    test: frameTest,
  },
  {
    promise: 'A message over the size limit is dropped',
    file: frame,
    find: 'JSON.stringify(value).length <= MAX_MESSAGE',
    replace: 'JSON.stringify(value).length <= MAX_MESSAGE * 2',
    test: frameTest,
  },
  ...serviceMutations,
  ...consentMutations,
  ...consoleMutations,
  ...depositMutations,
  ...hostedMutations,
  ...moneyMutations,
  ...operationMutations,
  ...phoneMutations,
  ...preparedMutations,
  ...idempotencyMutations,
  ...identityMutations,
  ...proofMutations,
  ...connectorMutations,
  ...webhookMutations,
  ...kitMutations,
  ...leakMutations,
  ...loadMutations,
  ...sdkMutations,
  ...transferMutations,
  ...secrecyMutations,
  ...accessMutations,
]
