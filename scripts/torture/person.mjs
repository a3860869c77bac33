/** Acts as the person in the frame over HTTP: reads the view, sends input, and reports the current step. */
import { randomBytes } from 'node:crypto'
import { answer } from './answer.mjs'
import { call } from './http.mjs'

const HOST = 'http://127.0.0.1:4300'

/** Returns an exchange id. As in the frame, a retry must send the id of its first request. */
export const exchangeId = () => randomBytes(16).toString('hex')

/** @param patience the time, in ms, after which the client ends the connection */
export function redeem(service, token, exchange = exchangeId(), patience = undefined) {
  return call(service.frame, 'POST', '/s/redeem', {
    patience,
    headers: { origin: service.frameOrigin },
    body: { token, exchange_id: exchange, origin: HOST, mode: null },
  })
}

export const look = (service, bearer, patience = undefined) =>
  call(service.frame, 'GET', '/s', { patience, key: bearer, headers: { origin: service.frameOrigin } })

export const submit = (service, bearer, view, input = answer(view)) =>
  call(service.frame, 'POST', `/s/steps/${view.step}`, {
    key: bearer,
    headers: { origin: service.frameOrigin },
    body: { revision: view.revision, input },
  })

/** Polls the view until its screen no longer waits for external services. */
export async function rest(service, bearer, within = 90_000) {
  const until = performance.now() + within
  for (;;) {
    const { status, json, text } = await look(service, bearer)
    if (status !== 200) throw new Error(`The session returned ${status}: ${text}`)
    if (json.step !== 'discovering') return json
    if (performance.now() > until) throw new Error('Still discovering.')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

/** Continues from this view to the end of the flow. Returns the visited steps and the last view. */
export async function finish(service, bearer, view) {
  const seen = []
  let now = view
  for (let screens = 0; screens < 30; screens += 1) {
    if (now.step === 'discovering') now = await rest(service, bearer)
    seen.push(now.step)
    if (now.step === 'done' || now.step === 'blocked') return { seen, view: now }
    const reply = await submit(service, bearer, now)
    if (reply.status !== 200) throw new Error(`The step ${now.step} returned ${reply.status}: ${reply.text}`)
    now = reply.json
  }
  throw new Error(`The flow did not end: ${seen.join(', ')}`)
}
