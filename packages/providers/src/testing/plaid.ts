/** Plaid with its emulator, for tests. Every request and answer is checked against Plaid's document. */
import type { FaultyAnswer } from '@causeway/connector/emulator/faults'
import type { AnswerOf, MethodPath } from '@causeway/connector/provider/paths'
import { createMemoryHost } from '@causeway/connector/testing/memory-host'
import { createPlaidEmulator, emulatorKeys, type PlaidEmulatorOptions } from '../plaid/emulator/emulator.js'
import { documents } from '../plaid/live.js'
import { plaid } from '../plaid/provider.js'
import type { Context } from '../plaid/settings.js'
import { checked } from './checked.js'
import { readDocument } from './document.js'
import { fetchFrom } from './emulated.js'

export const ORIGIN = 'https://emulator.example'
export const RETURN_URL = 'https://app.example.com/return?state=1'
export const person = 'person_1'
const name = 'Ana Diaz'

export const emulatedEnv = {
  PLAID_API_URL: ORIGIN,
  PLAID_CLIENT_ID: emulatorKeys.clientId,
  PLAID_SECRET: emulatorKeys.secret,
  PLAID_CLIENT_NAME: 'Example Lending',
  PLAID_WEBHOOK_URL: 'https://api.example.com/hooks/plaid',
  PLAID_AUTH: 'on',
  PLAID_TRANSACTIONS: 'on',
}

/** Does what a person does in a browser. @returns the address at which the browser ends */
export async function browseLink(
  answer: (request: Request) => Promise<Response>,
  url: string,
  institution: string,
  user: string,
  end: 'finish' | 'close' = 'finish',
) {
  const send = (action: string, form?: [string, string][]) =>
    answer(new Request(`${url}${action}`, form ? { method: 'POST', body: new URLSearchParams(form) } : undefined))
  await send('')
  if (end === 'close') return (await send('/close', [])).headers.get('location')
  const signIn = Object.entries({ institution, username: user, password: 'pass' })
  const consent = await (await send('/sign-in', signIn)).text()
  const chosen = [...consent.matchAll(/name="account" value="([^"]+)"/g)].map(([, id]): [string, string] => [
    'account',
    id!,
  ])
  return (await send('/finish', chosen)).headers.get('location')
}

interface WorldOptions extends Omit<PlaidEmulatorOptions, 'now' | 'origin'> {
  env?: Record<string, string>
  /** False for answers that Plaid's document does not know. */
  isChecked?: boolean
  /** Answers a request in place of the emulator, or returns undefined. */
  override?: (path: string, request: Request) => Response | undefined
  /** The network between the provider and Plaid. */
  network?: (answer: (request: Request) => Promise<Response>) => (request: Request) => Promise<FaultyAnswer>
}

export function createPlaidWorld({ env = {}, isChecked = true, override, network, ...options }: WorldOptions = {}) {
  const clock = { now: Date.parse('2026-11-29T12:00:00Z') }
  const emulator = createPlaidEmulator({ ...options, origin: ORIGIN, now: () => clock.now })
  const paths: string[] = []
  const answerApi = async (request: Request) => {
    const { pathname } = new URL(request.url)
    paths.push(pathname)
    return override?.(pathname, request) ?? emulator.answer(request)
  }
  const { answer } = isChecked
    ? checked(documents.names.map(readDocument), answerApi, documents.options)
    : { answer: answerApi }
  const host = createMemoryHost(plaid, {
    env: { ...emulatedEnv, ...env },
    fetch: fetchFrom(network ? network(answer) : answer),
    now: () => clock.now,
    timeoutMs: 50,
  })
  let count = 0
  const ask = <Path extends MethodPath>(path: Path, question: object, request_id = `r${++count}`) =>
    host.exchange(path, { request_id, team_id: 'team', now: clock.now, question }) as Promise<AnswerOf<Path>>

  const browse = (url: string, institution: string, user = 'user_good', end: 'finish' | 'close' = 'finish') =>
    browseLink(emulator.answer, url, institution, user, end)

  async function openPage(more: object = {}) {
    const page = await ask('network/link', { person, name, return_url: RETURN_URL, ...more })
    if (page.status !== 'ready') throw new Error(page.status)
    return page
  }

  /** Links an institution. @returns the answer after the person has returned */
  async function linkAt(institution: string, user = 'user_good') {
    const { url, link_id } = await openPage()
    await browse(url, institution, user)
    return ask('network/linked', { person, link_id })
  }

  async function discover() {
    const answer = await ask('network/discover', { person })
    if (answer.status !== 'completed') throw new Error(String(answer.code))
    return answer.liabilities
  }

  return {
    ...{ clock, emulator, host, paths, ask, browse, openPage, linkAt, discover },
    log: host.log,
    context: host.contextOf('team') as unknown as Context,
  }
}
