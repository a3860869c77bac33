/** Test helper that lists the versions and mounts against which the whole contract is tested. */

export const NEWEST = '2026-03-30'

/** The pinned version and the latest version, each at the root and under the second mount. */
export const speaking = [
  { name: 'at the pinned version', mount: '', headers: {} as Record<string, string> },
  { name: `at ${NEWEST}`, mount: '', headers: { 'service-version': NEWEST } },
  { name: 'enveloped', mount: '/enveloped', headers: {} as Record<string, string> },
  { name: `enveloped at ${NEWEST}`, mount: '/enveloped', headers: { 'method-version': NEWEST } },
] as const

/** The two cases that differ the most. Expensive tests use only these two. */
export const contrasts = [speaking[0], speaking[3]] as const

/** Returns the resource in a response from either mount. */
export function resource<T = Record<string, unknown>>(mount: string, body: unknown): T {
  return (mount === '' ? body : (body as { data: unknown }).data) as T
}

/** Returns the error in a response from either mount. */
export function errorOf(body: unknown): { type: string; code: number; sub_type: string; message: string } {
  const { error, data } = body as { error?: never; data?: { error: never } }
  return error ?? data!.error
}

/** Returns the `sub_type` of the error in a response from either mount. */
export const rejectionOf = (reply: { body: unknown }): string => errorOf(reply.body).sub_type

export const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
