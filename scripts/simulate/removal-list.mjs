/**
 * The protections that `mutations.mjs` removes from the service, one at a time. A removal that `isMarked` is a mutant that is
 * marked in the source. Each change is `[file, text, replacement]`; the file must contain the text once.
 */

const api = 'apps/api/src'
const claimedWrite = `${api}/platform/http/pipeline/claimed-write.ts`
const performJob = `${api}/platform/jobs/perform-job.ts`
const claimQueries = `${api}/platform/jobs/claim-queries.ts`
const groupCommits = `${api}/platform/db/sqlite/group-commits.ts`
const redeem = `${api}/flow/tokens/redeem.ts`
const createPayment = `${api}/money/payments/create.ts`
const marked = (what, ...changes) => ({ what, isMarked: true, changes })
const changed = (what, ...changes) => ({ what, isMarked: false, changes })

const indexes = `${api}/platform/db/migrations/0009-indexes.ts`
/** The last protection against a second payment of a key, which turns the absence of other protections into an error. */
const keysPayOnce = [indexes, "'create unique index payments_key", "'create index payments_key"]

/** A store's fault counts as a failure of the job. */
const countStoreFaults = [performJob, 'const isOwn = !isPoison && !isTemporaryFault(error)', 'const isOwn = !isPoison']

export const removals = {
  // Money.
  'release-pays-once': marked('a released session is returned unchanged'),
  'release-needs-confirmation': marked('only a confirmed session can be released'),
  'transitions-are-posted': marked('each move of a payment is posted to the ledger'),
  'accepted-cancel-is-kept': marked('a cancellation that the rail accepted after the request failed is saved'),
  'canceled-payment-does-not-fail': marked('a payment that its creator canceled has no error'),
  'stopped-payments-wait': marked('a stop holds payments that are not submitted yet'),
  'cancel-is-recorded-first': changed('a cancellation is recorded before the rail is called', [
    `${api}/money/lifecycle/cancel.ts`,
    'await transact(ctx.deps, ctx.team, scope => recordCancel(scope, row.id))',
    '',
  ]),
  'payment-and-job-commit-together': changed('a payment and the job that submits it are committed together', [
    createPayment,
    "await scope.deps.jobs.enqueue(scope, { kind: 'payment.submit', payload: { payment: row.id } })",
    `scope.after(async () => {
      const db = scope.deps.store
      await db.write(tx => scope.deps.jobs.enqueue({ ...scope, db: tx, pending: undefined } as never, { kind: 'payment.submit', payload: { payment: row.id } }))
    })`,
  ]),
  'move-and-event-commit-together': changed('a move and its event are committed together', [
    `${api}/money/lifecycle/transition.ts`,
    "await emit(scope, 'payment.update', showPayment(row, { one: true }), showPayment(before, { one: true }))\n  if (code",
    `scope.after(() => scope.deps.store.write(tx => emit({ ...scope, db: tx, pending: undefined } as never, 'payment.update', showPayment(row, { one: true }), showPayment(before, { one: true }))))
  if (code`,
  ]),
  'payments-of-own-team': marked('a payment is found only by its own team'),
  // Tokens.
  'token-works-once': marked('a token can be redeemed only while it is unused'),
  'token-expires': marked('an expired token cannot be redeemed'),
  'lost-answer-needs-same-exchange': marked('only the exchange that redeemed a token can be repeated'),
  'token-ends-with-its-key': changed('a token of a revoked key cannot be redeemed', [
    redeem,
    `      .where('revoked_at', 'is', null)
      // mutant: token-expires (remove)
      .where('expires_at', '>', scope.now)
      // mutant: token-of-revoked-key (remove)
      .where(is => is.not(is.exists(revokedKey(is))))
`,
    `      .where('expires_at', '>', scope.now)
`,
  ]),
  // Jobs.
  'store-faults-end-no-job': changed('a fault of the store does not count as a failure of the job', countStoreFaults),
  'claims-are-no-failures': changed(
    'neither a claim nor a fault of the store counts as a failure of the job',
    countStoreFaults,
    [performJob, 'failures >= (handler.attempts ?? 8)', 'row.claims >= (handler.attempts ?? 8)'],
  ),
  'lost-job-has-no-effect': marked('a job that another process has taken over has no effect'),
  'fence-compares-claims': changed('a job ends only if no other process has claimed it since', [
    `${api}/platform/jobs/statements.ts`,
    ", job('lease_owner', '=', owner), job('claims', '=', claims)",
    '',
  ]),
  'dead-lease-ends': changed('another process takes over the job of a dead process', [
    claimQueries,
    "job.or([job('lease_until', 'is', null), job('lease_until', '<', now)])",
    "job('lease_until', 'is', null)",
  ]),
  'leases-are-respected': changed('a job that another process runs is not claimed', [
    claimQueries,
    "      job.or([job('lease_until', 'is', null), job('lease_until', '<', now)]),\n",
    '',
  ]),
  // Idempotency.
  'key-belongs-to-first-request': marked('a key has one effect', keysPayOnce),
  'replay-for-same-path': marked('a key cannot be used for another path'),
  'replay-reports-other-body': marked('a replay reports that the body differs'),
  'keys-of-own-team': marked('teams do not share keys'),
  'store-failure-keeps-key-free': marked('a fault of the store is not stored as the response to a key'),
  'answer-commits-with-effect': changed(
    'a response is stored in the transaction of its effect',
    [
      claimedWrite,
      `      await keepClaimed(deps, tx, key, result)
      return { rendered: result, status: 'stored' as const }
    })
  } catch`,
      `      setImmediate(() => void deps.store.write(late => keepClaimed(deps, late, key, result)).catch(() => {}))
      return { rendered: result, status: 'stored' as const }
    })
  } catch`,
    ],
    keysPayOnce,
  ),
  'answer-follows-commit': changed('a request is answered after its commit', [
    groupCommits,
    '      await commit(db)\n      for (const settle of settlements) settle()',
    '      for (const settle of settlements) settle()\n      await commit(db)',
  ]),
  'failed-commit-is-reported': changed('a failed commit fails its requests', [
    groupCommits,
    '      await commit(db)\n      for (const settle',
    '      await commit(db).catch(() => {})\n      for (const settle',
  ]),
  'failed-writer-is-undone': changed(
    'the work of a failed writer in a group is undone',
    [
      groupCommits,
      'await rollBackSavepoint(db).catch(second => {',
      'await Promise.resolve(rollBackSavepoint && undefined).catch(second => {',
    ],
    keysPayOnce,
  ),
  'renamed-faults-are-recognized': changed(
    'a fault of the store is recognized even if it was renamed in its transaction',
    [claimedWrite, 'claimErrors.add(error)\n    throw error', 'throw asClaimError(error)'],
    [
      `${api}/platform/db/fault.ts`,
      "error instanceof StoreFault ? error : new StoreFault('TRANSACTION_LOST', error)",
      'error as StoreFault',
    ],
    [
      `${api}/platform/db/sqlite/driver.ts`,
      "    if (!this.#connection.isTransaction) return Promise.reject(new StoreFault('TRANSACTION_LOST', null))\n",
      '',
    ],
  ),
}
