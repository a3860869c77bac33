import { type Api, Failure } from '../api.js'

/**
 * Asks for one of the user's passkeys. The session that it confirms replaces the current one. Throws a Failure. The code
 * for passkeys loads only now.
 */
export async function confirmPasskey(api: Api): Promise<void> {
  const { passkeyProblem, usePasskey } = await import('./passkeys.js')
  await usePasskey(api, '/session/passkey').catch((error: unknown) => {
    throw new Failure('forbidden', { message: passkeyProblem(error) })
  })
}
