/** Twilio with its emulator, for tests. Every request and answer is checked against Twilio's documents. */
import type { FaultyAnswer } from '@causeway/connector/emulator/faults'
import { createMemoryHost } from '@causeway/connector/testing/memory-host'
import { createTwilioEmulator, emulatorIds, type TwilioEmulatorOptions } from '../twilio/emulator/emulator.js'
import { documents } from '../twilio/live.js'
import { twilio } from '../twilio/provider.js'
import { checked } from './checked.js'
import { readDocument } from './document.js'
import { fetchFrom } from './emulated.js'

export const emulatedEnv = {
  TWILIO_ACCOUNT_SID: emulatorIds.account,
  TWILIO_API_KEY: emulatorIds.apiKey,
  TWILIO_API_SECRET: emulatorIds.apiSecret,
  TWILIO_VERIFY_SERVICE: emulatorIds.service,
}

export interface EmulatedTwilioOptions extends Omit<TwilioEmulatorOptions, 'now'> {
  env?: Record<string, string>
  /** Answers a request in place of the emulator, or returns undefined. */
  override?: (request: Request) => Response | undefined
  /** The network between the provider and Twilio. What it changes is not checked against the documents. */
  network?: (answer: (request: Request) => Promise<Response>) => (request: Request) => Promise<FaultyAnswer>
}

export function setUpTwilio({ env = {}, override, network, ...options }: EmulatedTwilioOptions = {}) {
  const clock = { now: Date.parse('2026-11-29T12:00:00Z') }
  const emulator = createTwilioEmulator({ ...options, now: () => clock.now })
  const requests: { path: string; query: URLSearchParams; form: URLSearchParams }[] = []
  const { answer } = checked(
    documents.names.map(readDocument),
    async request => {
      const { pathname, searchParams } = new URL(request.url)
      requests.push({ path: pathname, query: searchParams, form: new URLSearchParams(await request.clone().text()) })
      return override?.(request) ?? emulator.answer(request)
    },
    documents.options,
  )
  const host = createMemoryHost(twilio, {
    env: { ...emulatedEnv, ...env },
    fetch: fetchFrom(network ? network(answer) : answer),
    now: () => clock.now,
    // Ends the connections that the network hangs.
    timeoutMs: 50,
  })
  const call = (request_id: string, question: unknown) => ({ request_id, team_id: 'team', now: clock.now, question })
  return {
    clock,
    emulator,
    requests,
    log: host.log,
    context: host.contextOf('team'),
    exchange: host.exchange,
    call,
    ask: (path: string, request_id: string, question: unknown) => host.exchange(path, call(request_id, question)),
  }
}

/** An error as Twilio sends it. */
export const twilioError = (status: number, code: number): Response =>
  Response.json({ code, message: 'Error', more_info: `https://www.twilio.com/docs/errors/${code}`, status }, { status })
