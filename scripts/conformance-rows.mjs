/**
 * The rows of the interface specification, in our own words. A test proves a row if its title starts with the row's id:
 * `it('4.2.6 a released session is returned unchanged', ...)`. Numbers follow the order of the rules in each section.
 * Requirements without a number, such as fields and responses, follow them.
 */
export const rows = [
  ['4.1.1', 'An element token works once; every later use is refused.'],
  ['4.1.2', 'An element token stops working 30 minutes after it was created.'],
  [
    '4.1.3',
    'An element token starts the interface and authenticates it: redeeming it opens the session of its entity.',
  ],
  ['4.1.4', 'The body follows the type: its configuration stands under the name of the type.'],
  ['4.1.5', 'type is required, and must be one that is known.'],
  ['4.1.6', 'One of entity_id and connect.entity is required.'],
  ['4.1.7', 'connect.products names the products that the accounts are to have.'],
  ['4.1.8', 'connect.entity makes an individual from a first and a last name.'],
  ['4.1.9', 'The answer is element_token, which begins with pk_elem_.'],

  ['4.2.1', "Release takes the team's secret key; an Opal token is refused."],
  ['4.2.2', 'A session of another team is 404.'],
  ['4.2.3', 'Release before the user confirmed is BT_NO_ALLOCATIONS; the session must be pending_release.'],
  ['4.2.4', 'Allocations, source and every destination are checked again first; a failure leaves pending_release.'],
  ['4.2.5', 'One payment is made for each allocated account, independently; one that fails is null in payment_ids.'],
  ['4.2.6', 'Releasing again answers the released session unchanged and makes no payment.'],
  ['4.2.7', "The payments carry the team's description, which the request cannot set."],
  ['4.2.8', 'A source that is not valid gives the errors that creating a payment gives.'],
  ['4.2.9', 'action is required and is release_payments.'],
  ['4.2.10', "Without data.source the team's default source pays; without either it is BT_MISSING_SOURCE."],
  [
    '4.2.11',
    'The answer is success, data and message; data is the session, released, with payment_ids and released_at.',
  ],

  ['4.3.1', 'An entity is returned with every field of its resource.'],
  ['4.3.2', 'An entity takes expand[].'],

  ['4.4.1', 'An individual is created from names, phone, email and date of birth, and returned.'],
  ['4.4.2', 'metadata is optional, is returned as given, and is null where none was given.'],
  ['4.4.3', 'ssn and ssn_4 are taken on creation and never shown in full.'],

  ['4.5.1', 'An account is returned with every field of its resource.'],
  ['4.5.2', 'An account takes expand[].'],

  ['4.6.1', "The team's secrets are listed under data."],
  ['4.6.2', 'A team without secrets gets an empty list.'],
  ['4.6.3', 'A list of secrets never shows a value.'],

  ['4.7.1', 'One secret is returned by its id, without its value.'],

  ['4.8.1', "The team's webhooks are listed under data."],
  ['4.8.2', 'A team without webhooks gets an empty list.'],

  ['4.9.1', 'expand[] puts the object in place of its id, on entities, accounts and Connect, in that answer only.'],
  ['4.9.2', 'Several expansions can be asked for at once, and on lists.'],
  ['4.9.3', 'Every field that is named as expandable expands.'],
  ['4.9.4', 'Connect expands two levels deep: its accounts, and a field of theirs such as accounts.update.'],

  ['4.10.1', 'ping answers success true, data null and message pong.'],

  ['4.11.1', 'A payment is made from amount, source, destination and description.'],
  ['4.11.2', 'A payment takes an Idempotency-Key: the same key never pays twice.'],

  ['7 body', 'An error is { error: { type, code, sub_type, message } }.'],
  ['7 request id', 'An error carries the Request-Id header, as every answer does.'],
  [
    '7 replay',
    "The first answer to a key, status and body, a 500 included, is the answer to the key's later requests.",
  ],
  [
    '7 IDEMPOTENCY_UNAVAILABLE',
    'While keys cannot be checked a keyed POST is 503 and without effect; one without a key works.',
  ],
  ['7 INVALID_MODE_CONFIG', 'Releasing a session of another mode.'],
  ['7 BT_NO_ALLOCATIONS', 'Releasing before the user confirmed.'],
  ['7 BT_MISSING_SOURCE', 'Releasing without a source where the team has no default.'],
  ['7 BT_ACCOUNT_NOT_PAYABLE', 'Releasing where an allocated account can no longer be paid.'],
  ['7 BT_AMOUNT_OUT_OF_BOUNDS', 'Releasing where an amount is over maximum_payment.'],
  ['7 BT_ALLOCATIONS_EXCEED_LOAN', 'Releasing where the total is over loan_amount.'],
  ['7 BT_RESIDUAL_EXCEEDS_MAX', 'Releasing where more than residual_amount_max is left over.'],

  ['8 metadata', 'metadata is an object of less than 1,024 bytes of JSON.'],
  ['8 idempotency key', 'An Idempotency-Key is any text of up to 255 characters, on every POST.'],
  ['8 element token', 'An element token works once, for 30 minutes.'],
  ['8 connect expand depth', 'Connect expands two levels deep and no deeper.'],
  ['8 opal allocation', 'Each amount, the total and the remainder keep their limits, which are inclusive.'],
].map(([id, promise]) => ({ id, promise }))
