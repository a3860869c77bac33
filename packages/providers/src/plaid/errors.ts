/** The effect of each of Plaid's error codes. */

/**
 * `repair`: the person must sign in again. `gone`: the item no longer exists. `unsupported`: the institution or the item
 * has no such data. `later`: a later attempt may succeed. `key`: the credentials are rejected. `setup`: the account at
 * Plaid is not set up for this.
 */
export type ErrorKind = 'repair' | 'gone' | 'unsupported' | 'later' | 'key' | 'setup' | 'unknown'

const codesByKind: Record<Exclude<ErrorKind, 'unknown'>, readonly string[]> = {
  repair: [
    ...['ITEM_LOGIN_REQUIRED', 'INVALID_CREDENTIALS', 'INVALID_MFA', 'INVALID_UPDATED_USERNAME', 'ITEM_LOCKED'],
    ...['USER_SETUP_REQUIRED', 'INSUFFICIENT_CREDENTIALS', 'MFA_NOT_SUPPORTED', 'ACCESS_NOT_GRANTED'],
    ...['USER_INPUT_TIMEOUT', 'INVALID_SEND_METHOD', 'PASSWORD_RESET_REQUIRED', 'ADDITIONAL_CONSENT_REQUIRED'],
  ],
  gone: [
    ...['ITEM_NOT_FOUND', 'INVALID_ACCESS_TOKEN', 'USER_PERMISSION_REVOKED', 'ITEM_NOT_SUPPORTED'],
    ...['INSTITUTION_NO_LONGER_SUPPORTED', 'INVALID_PUBLIC_TOKEN', 'INVALID_LINK_TOKEN', 'ITEM_CONCURRENTLY_DELETED'],
  ],
  unsupported: [
    ...['PRODUCTS_NOT_SUPPORTED', 'PRODUCT_NOT_SUPPORTED', 'NO_LIABILITY_ACCOUNTS', 'NO_AUTH_ACCOUNTS'],
    'NO_ACCOUNTS',
    ...['INVALID_ACCOUNT_ID', 'ACCESS_NOT_GRANTED_FOR_ACCOUNT', 'NO_IDENTITY_DATA', 'CANNOT_REPLACE_ACCOUNT'],
  ],
  later: [
    ...['INSTITUTION_DOWN', 'INSTITUTION_NOT_RESPONDING', 'INSTITUTION_NOT_AVAILABLE', 'INSTITUTION_NOT_FOUND'],
    ...['PRODUCT_NOT_READY', 'INTERNAL_SERVER_ERROR', 'PLANNED_MAINTENANCE', 'LAST_UPDATED_DATETIME_OUT_OF_RANGE'],
    ...['TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION'],
  ],
  key: ['INVALID_API_KEYS', 'MISSING_API_KEYS', 'UNAUTHORIZED_ENVIRONMENT'],
  setup: [
    ...['INVALID_PRODUCT', 'PRODUCT_NOT_ENABLED', 'UNAUTHORIZED_ROUTE_ACCESS', 'INVALID_FIELD', 'MISSING_FIELDS'],
    ...['UNKNOWN_FIELDS', 'INCOMPATIBLE_API_VERSION', 'DIRECT_INTEGRATION_NOT_ENABLED', 'INVALID_BODY'],
  ],
}

const kinds = new Map(
  Object.entries(codesByKind).flatMap(([kind, codes]) => codes.map(code => [code, kind as ErrorKind] as const)),
)

export const kindOf = (code: string): ErrorKind => kinds.get(code) ?? 'unknown'
