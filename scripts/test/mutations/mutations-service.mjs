/** Mutations of releases, tokens, team isolation and payments in the service. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`

const release = { file: src('flow/sessions/release.ts'), test: src('flow/sessions/release-errors.test.ts') }
const releases = [
  {
    promise: 'BT_NO_ALLOCATIONS: nothing is released unless the person confirmed it',
    find: 'if (session.completed_at === null || Object.keys(allocations).length === 0)',
    replace: 'if (session.completed_at === 0)',
    name: 'BT_NO_ALLOCATIONS',
  },
  {
    promise: 'BT_MISSING_SOURCE: a release needs a source',
    find: "if (from === undefined) throw new ServiceError('BT_MISSING_SOURCE')",
    replace: "if (from === undefined) throw new ServiceError('INVALID_SOURCE')",
    name: 'BT_MISSING_SOURCE',
  },
  {
    promise: 'BT_ACCOUNT_NOT_PAYABLE: the accounts are checked again at release',
    find: 'return await checkDestination(ctx, id)',
    replace: 'return (await lockAccount(ctx, id))!',
    name: 'BT_ACCOUNT_NOT_PAYABLE',
  },
  {
    promise: 'BT_AMOUNT_OUT_OF_BOUNDS: above maximum_payment',
    find: 'amount > terms.maximum_payment || ',
    replace: '',
    name: 'BT_AMOUNT_OUT_OF_BOUNDS',
  },
  {
    promise: 'BT_AMOUNT_OUT_OF_BOUNDS: below minimum_payment',
    find: ' || amount < terms.minimum_payment',
    replace: '',
    name: 'BT_AMOUNT_OUT_OF_BOUNDS',
  },
  {
    promise: 'BT_ALLOCATIONS_EXCEED_LOAN: to the cent',
    find: 'if (sum > terms.loan_amount)',
    replace: 'if (sum > terms.loan_amount + 1)',
    name: 'BT_ALLOCATIONS_EXCEED_LOAN',
  },
  {
    promise: 'BT_RESIDUAL_EXCEEDS_MAX: to the cent',
    find: 'if (terms.loan_amount - sum > terms.residual_amount_max)',
    replace: 'if (terms.loan_amount - sum > terms.residual_amount_max + 1)',
    name: 'BT_RESIDUAL_EXCEEDS_MAX',
  },
  {
    promise: 'INVALID_MODE_CONFIG: only a balance transfer can be released',
    find: "if (session.mode !== 'balance_transfer' || !terms) throw new ServiceError('INVALID_MODE_CONFIG')",
    replace: "if (!terms) throw new ServiceError('INVALID_REQUEST')",
    name: 'INVALID_MODE_CONFIG',
  },
  {
    promise: 'A released session is returned unchanged and makes no further payments',
    find: "if (session.payout_status === 'released') return session",
    replace: '',
    test: src('flow/sessions/release.test.ts'),
    name: '4.2.6 releasing a released session returns it unchanged',
  },
  {
    promise: 'Simultaneous releases are serialized by the session row',
    find: 'const session = await lockSession(ctx, id)',
    replace: 'const session = await findSession(ctx, id)',
    test: src('flow/sessions/release.test.ts'),
    name: '50 simultaneous',
    engine: 'postgres',
  },
  {
    promise: 'A rejected payment is null, and the others are sent',
    find: 'ids[id] = null',
    replace: 'throw error',
    test: src('flow/sessions/release.test.ts'),
    name: '4.2.5 a rejected payment is null',
  },
].map(each => ({ ...release, ...each }))

const redeem = { file: src('flow/sessions/redeem.ts'), test: src('flow/sessions/tokens.test.ts') }
const tokens = [
  {
    promise: 'A token works once',
    find: "      .where('consumed_at', 'is', null)\n",
    replace: '',
    name: 'works once',
  },
  {
    promise: 'A token works for 30 minutes and no longer',
    find: "      .where('expires_at', '>', scope.now)\n",
    replace: '',
    name: '8 element token expires after exactly 30 minutes',
  },
  {
    promise: 'An unused token of a revoked key is rejected',
    find: '      .where(is => is.not(is.exists(revokedKey(is))))\n',
    replace: '',
    test: src('flow/sessions/redeem.test.ts'),
    name: "a revoked key's unspent tokens are rejected",
  },
  {
    promise: 'Revoking a key revokes its unused tokens',
    file: src('flow/sessions/store.ts'),
    find: 'isUnspent ? { ...token, revoked_at: key_revoked_at } : token',
    replace: 'isUnspent ? token : token',
    test: src('flow/sessions/redeem.test.ts'),
    name: "a revoked key's unspent tokens are rejected",
  },
  {
    promise: 'A token requires its secret',
    find: '|| !sameText(found.token.secret_hash, sha256(secret))',
    replace: '',
    test: src('flow/sessions/redeem.test.ts'),
    name: 'a wrong secret',
  },
  {
    promise: 'Only a page on an allowed origin can embed the flow',
    find: "throw new ServiceError('ORIGIN_NOT_ALLOWED')",
    replace: '{}',
    test: src('flow/sessions/redeem.test.ts'),
    name: 'an origin that is not allowed cannot embed it',
  },
  {
    promise: "The element's mode must match the token's mode",
    find: 'if (given.mode !== null && given.mode !== elementOf(mode))',
    replace: 'if (given.mode === elementOf(mode) && given.mode === null)',
    test: src('flow/sessions/redeem.test.ts'),
    name: "the element's mode must match the token's",
  },
  {
    promise: 'Only the same exchange can retrieve a lost response',
    find: '    sameText(row.exchange_hash, exchange) &&\n',
    replace: '',
    name: 'works once',
  },
  {
    promise: 'A lost response can be retrieved for at most a minute',
    find: '(row.exchange_until ?? 0) > scope.deps.clock()',
    replace: '(row.exchange_until ?? 0) > 0',
    test: src('flow/sessions/redeem.test.ts'),
    name: 'a lost response can be requested again with the same exchange_id within a minute',
  },
  {
    promise: 'A bearer token expires after 15 minutes of inactivity',
    file: src('flow/sessions/visitor.ts'),
    find: ' || row.idle_until <= now',
    replace: '',
    test: src('flow/sessions/redeem.test.ts'),
    name: '15 minutes of inactivity',
  },
  {
    promise: 'A bearer token expires after an hour, even while in use',
    file: src('flow/sessions/visitor.ts'),
    find: ' || row.expires_at <= now',
    replace: '',
    test: src('flow/sessions/redeem.test.ts'),
    name: 'after an hour',
  },
].map(each => ({ ...redeem, ...each }))

const tenant = {
  test: src('platform/http/tenants.test.ts'),
  name: 'treats an id of another team like an unknown id',
}
const lock = table =>
  `scope.db.selectFrom('${table}').selectAll().where('team_id', '=', scope.team.id).where('id', '=', id)`
const unlocked = table => `scope.db.selectFrom('${table}').selectAll().where('id', '=', id)`
const teams = [
  {
    promise: 'Every statement names the team whose rows it changes',
    file: src('flow/sessions/exit.ts'),
    find: ".where('team_id', '=', tx.team.id)",
    replace: '',
    test: src('flow/sessions/exit.test.ts'),
    name: 'leaving before the end creates one event',
  },
  {
    promise: 'A team can read only its own payments',
    file: src('money/payments/store.ts'),
    find: "db.selectFrom('payments').selectAll().where('team_id', '=', team)",
    replace: "db.selectFrom('payments').selectAll()",
  },
  {
    promise: 'An entity can be changed only by its own team',
    file: src('people/entities/store.ts'),
    find: lock('entities'),
    replace: unlocked('entities'),
  },
  {
    promise: 'An account can be changed only by its own team',
    file: src('people/accounts/store.ts'),
    find: "locked(scope.db, shared(scope.db, scope.team.id).where('accounts.id', '=', id))",
    replace: "locked(scope.db, scope.db.selectFrom('accounts').selectAll().where('id', '=', id))",
  },
  {
    promise: 'A session can be released only by its own team',
    file: src('flow/sessions/store.ts'),
    find: lock('sessions'),
    replace: unlocked('sessions'),
    test: src('flow/sessions/release-errors.test.ts'),
    name: '4.2.2 if the session belongs to another team',
  },
].map(each => ({ ...tenant, ...each }))

const ledger = { file: src('money/payments/store.ts'), test: src('money/ledger/check.test.ts') }
const money = [
  {
    ...ledger,
    promise: 'Every transition of a payment is posted to the ledger',
    find: 'await post(scope, row.id, paidOf(before, reversal), paidOf(row, reversal))',
    replace: '',
    name: 'records the postings of every move',
  },
  {
    file: src('money/ledger/ledger.ts'),
    test: src('money/ledger/ledger.test.ts'),
    promise: 'Money that the payer took back is receivable until it is recovered',
    find: "sum(['receivable', -amount], [destination, net], ['fees', fee])",
    replace: "sum([source, -amount], [destination, net], ['fees', fee])",
  },
  {
    file: src('money/payments/payment.ts'),
    test: src('money/payments/model.test.ts'),
    promise: 'A payment makes only transitions that are in the table',
    find: "next: ['reversed', 'settled'],",
    replace: "next: ['reversed', 'settled', 'posted'],",
  },
  {
    file: src('money/payments/payment.ts'),
    test: src('money/reversals/reversals.test.ts'),
    promise: 'No payment is returned after sixty days',
    find: '<= RETURN_DAYS * DAY',
    replace: '<= 400 * DAY',
    name: 'more than sixty days',
  },
  {
    file: src('money/payments/jobs.ts'),
    test: src('money/payments/payment-hold.test.ts'),
    promise: 'While payments are stopped, none are submitted',
    find: 'const stopped = scope.team.paymentsStopped',
    replace: 'const stopped = false',
    name: 'not submitted',
  },
  {
    file: src('platform/http/execute.ts'),
    test: src('money/payments/payment-hold.test.ts'),
    promise: 'A rejection while payments are stopped does not use up a key',
    find: 'error.status === 503 || ',
    replace: '',
    name: 'its key stays unused',
  },
]

export const serviceMutations = [...releases, ...tokens, ...teams, ...money]
