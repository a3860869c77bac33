/** Asks the browser for passkeys. Loaded only by screens that use them. */
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { type Api, Failure } from '../api.js'
import { words } from '../words.js'

const { passkeys: text } = words

/** Returns the message for an error of the browser's passkey prompt, or of the service. */
export function passkeyProblem(error: unknown): string {
  if (error instanceof Failure)
    return error.message || (error.kind === 'offline' ? words.panel.offline : words.panel.unavailable)
  const { name, code } = error as { name?: string; code?: string }
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' || name === 'InvalidStateError') return text.known
  if (name === 'NotAllowedError' || name === 'AbortError') return text.closed
  return 'PublicKeyCredential' in window ? text.failed : text.unsupported
}

type Options<Start extends (options: never) => unknown> = Parameters<Start>[0] extends { optionsJSON: infer O }
  ? O
  : never

/** Gets a passkey's response to options that the service creates, and sends it. */
export async function usePasskey(api: Api, path: string): Promise<void> {
  const optionsJSON = await api.send<Options<typeof startAuthentication>>('POST', `${path}/options`)
  await api.send('POST', path, { credential: await startAuthentication({ optionsJSON }) })
}

/**
 * Creates a passkey from options that the service creates, and sends it.
 * @param paths the paths of the options and of the new passkey
 * @param body the other fields of both requests
 */
export async function createPasskey(
  api: Api,
  paths: { options: string; add: string },
  body: object = {},
): Promise<void> {
  const optionsJSON = await api.send<Options<typeof startRegistration>>('POST', paths.options, body)
  await api.send('POST', paths.add, { ...body, credential: await startRegistration({ optionsJSON }) })
}
