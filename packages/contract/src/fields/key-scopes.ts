/**
 * Scopes of a secret key. `read` covers every GET, and `write` covers every other request, unless an endpoint requires
 * one of the other scopes: `payments` to move money, `sensitive` to show SSNs and full numbers, or `admin` to manage
 * teams, keys and settings.
 */
export const keyScopes = ['read', 'write', 'payments', 'sensitive', 'admin'] as const
export type KeyScope = (typeof keyScopes)[number]
