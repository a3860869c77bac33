/**
 * The ways in which this service differs from others with this API. docs/versions.md and docs/guides/migrate.md are
 * written from these lists, and `causeway migrate check` finds the requests that they affect.
 */

/** A body, after its request was recorded. */
type Body = Readonly<Record<string, unknown>>

/** The requests that a difference affects. */
interface Affected {
  /** Endpoints such as `POST /opal/token`, with the path parameters of their declarations. */
  readonly endpoints: readonly string[]
  /** Returns true if a request with this body is affected. Default: all requests. */
  readonly when?: (body: Body) => boolean
  /** True if the service rejects the request. */
  readonly rejected?: true
}

/** A difference, in Markdown. */
export interface Difference {
  readonly what: string
  readonly elsewhere: string
  readonly here: string
  /** Absent for a difference that no request shows. */
  readonly affects?: Affected
}

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)
const inside = (body: Body, name: string): Body => {
  const value = body[name]
  return isObject(value) ? value : {}
}
const tokens = ['POST /elements/token', 'POST /opal/token']
const readsOf = (path: string) => [`GET ${path}`, `GET ${path}/:id`]

/** Differences in requests and responses of the API. */
export const apiDifferences: readonly Difference[] = [
  {
    what: '`GET /ping`',
    elsewhere: '`data` is `pong`',
    here: '`data` is null and `message` is `pong`, as client libraries expect',
    affects: { endpoints: ['GET /ping'] },
  },
  {
    what: '`POST /simulate/entities/…`, `POST /simulate/events`',
    elsewhere: 'an object',
    here: 'null, as client libraries expect',
    affects: {
      endpoints: [
        'POST /simulate/events',
        'POST /simulate/entities/:ent_id/connect',
        'POST /simulate/entities/:ent_id/attributes',
        'POST /simulate/entities/:ent_id/credit_scores/:crs_id',
      ],
    },
  },
  {
    what: 'An entity or account whose consent was withdrawn',
    elsewhere: 'all fields',
    here: 'the id, and `type` null, so that no personal data remains',
    affects: { endpoints: ['POST /entities/:ent_id/consent', 'POST /accounts/:acc_id/consent'] },
  },
  {
    what: 'A new verification session',
    elsewhere: 'no fields are null',
    here: 'the fields that are not known yet are null',
    affects: {
      endpoints: ['POST /entities/:ent_id/verification_sessions', 'POST /accounts/:acc_id/verification_sessions'],
    },
  },
  {
    what: '`status_error` of a product',
    elsewhere: 'one error',
    here: 'the error of the product, such as `PRODUCT_UNAVAILABLE`',
    affects: { endpoints: ['GET /entities/:ent_id/products', 'GET /accounts/:acc_id/products'] },
  },
  {
    what: 'A frozen credit file',
    elsewhere: '`CONNECT_FAILED_CREDIT_FREEZE`',
    here: '`CREDIT_FREEZE`, as in the reference. Handle both names in code for several services',
    affects: { endpoints: ['POST /entities/:ent_id/connect', ...readsOf('/entities/:ent_id/connect')] },
  },
  {
    what: 'A credit file without accounts',
    elsewhere: '`CONNECT_FAILED_THIN_CREDIT_FILE`',
    here: '`THIN_CREDIT_FILE`. Handle both names',
    affects: { endpoints: ['POST /entities/:ent_id/connect', ...readsOf('/entities/:ent_id/connect')] },
  },
  {
    what: 'An incorrect text message code',
    elsewhere: '`VERIFICATION_SESSION_INCORRECT_SMS_CODE`',
    here: '`VERIFICATION_SESSION_FAILED_INCORRECT_SMS_CODE`. Handle both names',
    affects: {
      endpoints: ['PUT /entities/:ent_id/verification_sessions/:id'],
      when: body => 'sms' in body,
    },
  },
  {
    what: '`accounts` of a manual connect',
    elsewhere: 'ids or accounts',
    here: '`{ account_id, external_id }`, the only form that contains `external_id`',
    affects: {
      endpoints: ['POST /entities/:ent_id/manual_connect', 'GET /entities/:ent_id/manual_connect/:id'],
    },
  },
  {
    what: '`PUT /accounts/{id}`',
    elsewhere: 'null',
    here: 'the account',
    affects: { endpoints: ['PUT /accounts/:acc_id'] },
  },
  {
    what: '`metadata` of a secret',
    elsewhere: 'null if absent',
    here: '`{}` if absent',
    affects: { endpoints: ['POST /secrets', 'GET /secrets', 'GET /secrets/:sec_id'] },
  },
  {
    what: 'A key set',
    elsewhere: 'RSA keys only',
    here: 'the RSA keys, then the key that signs',
    affects: { endpoints: ['GET /.well-known/jwks.json'] },
  },
  { what: '`type` of an error', elsewhere: 'lower case', here: 'upper case, as client libraries expect' },
  {
    what: 'A token',
    elsewhere: 'opens until it expires',
    here: 'opens once. To resume, create a token for the same session',
    affects: { endpoints: tokens },
  },
  {
    what: 'A token of Elements with the terms of a balance transfer',
    elsewhere: '`payout_amount_min`, `loan_details_requested_amount` and similar terms',
    here: 'rejected. Create a token with `POST /opal/token` and the mode `balance_transfer`, which takes `loan_amount`',
    affects: {
      endpoints: ['POST /elements/token'],
      when: body => Object.keys(inside(body, 'balance_transfer')).some(name => /^(?:payout_|loan_details_)/.test(name)),
      rejected: true,
    },
  },
  {
    what: '`PATCH /webhooks/{id}` with `requires_attention`',
    elsewhere: 'accepted',
    here: 'rejected, because only failed deliveries set that status',
    affects: {
      endpoints: ['PATCH /webhooks/:whk_id'],
      when: ({ status }) => status === 'requires_attention',
      rejected: true,
    },
  },
  {
    what: 'A credit report (`bureau` and `artifacts` of a connect)',
    elsewhere: 'enabled for each team',
    here: 'returned if a provider of the service returns reports, and both fields are sent. Otherwise rejected',
    affects: {
      endpoints: ['POST /entities/:ent_id/connect'],
      when: ({ bureau, artifacts }) => bureau != null || artifacts != null,
    },
  },
  {
    what: 'Encryption keys',
    elsewhere: 'RSA with any `alg`, and elliptic curves',
    here: 'RSA, because responses are encrypted with `RSA-OAEP-256`. Under `/enveloped`, another `alg` is accepted, and the response names the one that is used',
    affects: {
      endpoints: ['POST /teams/mle/public_keys'],
      when: body => inside(body, 'jwk')['kty'] === 'EC',
      rejected: true,
    },
  },
  {
    what: 'A deleted encryption key',
    elsewhere: '`disabled`',
    here: '`deleted`',
    affects: { endpoints: ['DELETE /teams/mle/public_keys/:team_jwk_id'] },
  },
  {
    what: 'Accounts of type `clearing` or `debit_card`',
    elsewhere: 'accepted',
    here: 'rejected. The types are `ach` and `liability`',
    affects: {
      endpoints: ['POST /accounts'],
      when: body => 'clearing' in body || 'debit_card' in body,
      rejected: true,
    },
  },
  {
    what: 'Entities of type `receive_only`',
    elsewhere: 'accepted',
    here: 'rejected. The types are `individual` and `corporation`',
    affects: { endpoints: ['POST /entities'], when: ({ type }) => type === 'receive_only', rejected: true },
  },
  {
    what: 'Verification sessions with the method `element` or `opal`',
    elsewhere: 'can be created',
    here: 'begin only when the person opens the element',
    affects: {
      endpoints: ['POST /entities/:ent_id/verification_sessions'],
      when: ({ method }) => method === 'element' || method === 'opal' || method === 'method_verified',
      rejected: true,
    },
  },
]

/** Differences that pages and apps with the flow notice. */
export const flowDifferences: readonly Difference[] = [
  {
    what: 'tokens',
    elsewhere: 'a token reopens its flow until it expires',
    here: "a token opens once. Create another one with the same `session_id` to continue. Until then, a reload shows the session's error",
  },
  {
    what: 'origins',
    elsewhere: 'any page can embed the flow',
    here: "only the token's `allowed_origins`, or the team's list",
  },
  {
    what: "the token's way",
    elsewhere: 'in the URL of the frame',
    here: "in a message to the frame, after both sides have checked each other's origin",
  },
  {
    what: '`env`',
    elsewhere: "selects one of the company's own addresses",
    here: 'selects from `frameOrigin`. With one origin, all environments use it',
  },
  {
    what: '`onEvent` of Opal',
    elsewhere: '`opal.session.errored` from the frame',
    here: "also when the page can't open the flow",
  },
  {
    what: '`onExit` of Opal',
    elsewhere: 'no argument',
    here: '`{ reason }`: `completed`, `user`, `error` or `expired`',
  },
  {
    what: "a page that can't open the flow",
    elsewhere: 'an empty overlay',
    here: '`onError`, `error` and `opal.session.errored` within two seconds',
  },
  {
    what: 'tokens of apps',
    elsewhere: 'any token',
    here: 'a token with a `redirect_url`, because the app shows its hosted page',
  },
  {
    what: '`embedded`, `iframeStyles`',
    elsewhere: 'change the frame',
    here: 'no effect. A flow in `parentElement` is as tall as its content; [theming](theming.md) shows how to style it',
  },
  {
    what: '`onEvent` of Elements',
    elsewhere: "the browser's message event, with events such as `AUTH_PHONE_OPEN`",
    here: 'an object with the same `data`, and the events of [the detailed stream](events.md#the-detailed-stream)',
  },
  {
    what: 'a balance transfer in Elements',
    elsewhere: 'a token of `/elements/token` with terms',
    here: '`Method` opens tokens of the type `connect`. For a balance transfer, use [the element](balance-transfer.md), or an Opal token',
  },
  { what: '`close` of Elements', elsewhere: 'private', here: 'closes the flow' },
  {
    what: '`opal/v1/stable/init.js`',
    elsewhere: 'the global of Opal for pages without React',
    here: 'not offered, because its interface is not published. Use [the elements](frameworks.md#plain-script)',
  },
]
