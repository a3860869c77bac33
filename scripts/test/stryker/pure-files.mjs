/**
 * The files that StrykerJS mutates: rules without effects, each with its own test beside it. It changes every
 * expression of these files, which would take too long for code that opens a store.
 */
export const pureFiles = [
  'apps/api/src/console/mask.ts',
  'apps/api/src/forwarding/forwarding.ts',
  'apps/api/src/money/ledger/ledger.ts',
  'apps/api/src/money/payments/payment.ts',
  'apps/api/src/platform/csv.ts',
  'packages/connector/src/http/signature.ts',
  'apps/api/src/platform/calendar/calendar.ts',
  'apps/api/src/platform/calendar/zone.ts',
  'apps/api/src/platform/company-name.ts',
  'apps/api/src/platform/crypto/vault.ts',
  'apps/api/src/platform/http/log/redact.ts',
  'apps/api/src/platform/http/endpoint/router.ts',
  'apps/api/src/platform/jobs/lanes.ts',
  'apps/api/src/platform/name-words.ts',
  'apps/api/src/versions/chain.ts',
  'packages/contract/src/allocations.ts',
  'packages/contract/src/values/digits.ts',
  'packages/contract/src/frame.ts',
  'packages/contract/src/money.ts',
  'packages/contract/src/values/name.ts',
  'packages/contract/src/outcome.ts',
  'packages/contract/src/values/phones.ts',
  'packages/contract/src/values/states.ts',
  'packages/sdk/src/errors.ts',
  'packages/sdk/src/crypto/verify-result.ts',
  'packages/sdk/src/crypto/verify-webhook.ts',
]
