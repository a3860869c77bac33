/**
 * The rows of the interface specification, in our own words. A test whose title starts with a row's id verifies that
 * row: `it('4.2.6 a released session is returned unchanged', ...)`. Numbers follow the order of the rules in each
 * section. Requirements without a number, such as those for fields and responses, come after those rules.
 */
export const rows = [
  ['4.1.1', 'An element token works once; every later use is rejected.'],
  ['4.1.2', 'An element token expires 30 minutes after it is created.'],
  ['4.1.3', 'An element token starts and authenticates the interface: redeeming it opens a session for its entity.'],
  ['4.1.4', 'The body depends on the type: its configuration is in a field named after the type.'],
  ['4.1.5', 'type is required and must be a known type.'],
  ['4.1.6', 'One of entity_id and connect.entity is required.'],
  ['4.1.7', 'connect.products names the products to request for the accounts.'],
  ['4.1.8', 'connect.entity creates an individual from a first and a last name.'],
  ['4.1.9', 'The response contains element_token, which begins with pk_elem_.'],

  ['4.2.1', "Release requires the team's secret key; an Opal token is rejected."],
  ['4.2.2', "A request for another team's session returns 404."],
  ['4.2.3', 'Releasing before the user has confirmed returns BT_NO_ALLOCATIONS; the session must be pending_release.'],
  [
    '4.2.4',
    'Release first rechecks the allocations, the source and every destination; if a check fails, the session stays pending_release.',
  ],
  [
    '4.2.5',
    'Each allocated account gets its own payment, created independently; a failed payment is null in payment_ids.',
  ],
  ['4.2.6', 'Releasing again returns the released session unchanged and creates no payment.'],
  ['4.2.7', "The payments have the team's description, which the request cannot set."],
  ['4.2.8', 'An invalid source returns the same errors as creating a payment.'],
  ['4.2.9', 'action is required and must be release_payments.'],
  [
    '4.2.10',
    "Without data.source, the team's default source pays; without either, the request returns BT_MISSING_SOURCE.",
  ],
  [
    '4.2.11',
    'The response contains success, data and message; data is the released session, with payment_ids and released_at.',
  ],

  ['4.3.1', 'An entity is returned with every field of its resource.'],
  ['4.3.2', 'An entity supports expand[].'],

  ['4.4.1', 'Creating an individual from names, phone, email and date of birth returns the individual.'],
  ['4.4.2', 'metadata is optional, is returned as given, and is null if it was not given.'],
  ['4.4.3', 'ssn and ssn_4 are accepted on creation and never shown in full.'],

  ['4.5.1', 'An account is returned with every field of its resource.'],
  ['4.5.2', 'An account supports expand[].'],

  ['4.6.1', "The team's secrets are listed under data."],
  ['4.6.2', 'A team without secrets gets an empty list.'],
  ['4.6.3', 'A list of secrets never shows a value.'],

  ['4.7.1', 'A secret can be read by its id; its value is not returned.'],

  ['4.8.1', "The team's webhooks are listed under data."],
  ['4.8.2', 'A team without webhooks gets an empty list.'],

  ['4.9.1', 'expand[] replaces an id with its object, on entities, accounts and Connect, in that response only.'],
  ['4.9.2', 'Several expansions can be requested at once, including on lists.'],
  ['4.9.3', 'Every field listed as expandable expands.'],
  ['4.9.4', 'Connect expands two levels deep: its accounts, and a field of each account, such as accounts.update.'],

  ['4.10.1', 'ping returns success true, data null and message pong.'],

  ['4.11.1', 'A payment is created from amount, source, destination and description.'],
  [
    '4.11.2',
    'A request for a payment accepts an Idempotency-Key. Requests with the same key create at most one payment.',
  ],

  ['7 body', 'An error is { error: { type, code, sub_type, message } }.'],
  ['7 request id', 'An error includes the Request-Id header, as every response does.'],
  ['7 replay', 'Later requests with the same key return the first response (status and body), even if it was a 500.'],
  [
    '7 IDEMPOTENCY_UNAVAILABLE',
    'While keys cannot be checked, a POST with a key returns 503 and has no effect; one without a key works.',
  ],
  ['7 INVALID_MODE_CONFIG', 'Releasing a session that has another mode.'],
  ['7 BT_NO_ALLOCATIONS', 'Releasing before the user has confirmed.'],
  ['7 BT_MISSING_SOURCE', 'Releasing without a source when the team has no default.'],
  ['7 BT_ACCOUNT_NOT_PAYABLE', 'Releasing when an allocated account can no longer be paid.'],
  ['7 BT_AMOUNT_OUT_OF_BOUNDS', 'Releasing when an amount is over maximum_payment.'],
  ['7 BT_ALLOCATIONS_EXCEED_LOAN', 'Releasing when the total is over loan_amount.'],
  ['7 BT_RESIDUAL_EXCEEDS_MAX', 'Releasing when more than residual_amount_max is left over.'],

  ['8 metadata', 'metadata is an object of less than 1,024 bytes of JSON.'],
  ['8 idempotency key', 'Every POST accepts an Idempotency-Key: any text of up to 255 characters.'],
  ['8 element token', 'An element token works once, within 30 minutes of its creation.'],
  ['8 connect expand depth', 'Connect expands two levels deep and no deeper.'],
  ['8 opal allocation', 'Each amount, the total and the remainder stay within their limits, which are inclusive.'],
].map(([id, promise]) => ({ id, promise }))
