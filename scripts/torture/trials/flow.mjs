/** Kills the service during a person's flow, both between screens and while a step is being submitted. */
import { answer } from '../answer.mjs'
import { lender, mixedPerson } from '../lender.mjs'
import { look, redeem, rest, submit } from '../person.mjs'

/** Returns the parts of a view that identify the person's position in the flow. */
const place = ({ step, revision, data }) => JSON.stringify([step, revision, step === 'code' ? data.last4 : data])

const open = async (service, token) => {
  const reply = await redeem(service, token)
  if (reply.status !== 200) throw new Error(`Redeeming answered ${reply.status}: ${reply.text}`)
  return reply.json
}

/**
 * Runs one balance transfer with a kill at every screen. `back` determines how the person returns: with the bearer
 * token that the frame still has, or with a new token for the same session, as if they had closed the page.
 */
async function walk({ launch, expect }, service, back, midway) {
  let now = service
  const entity = await lender(now).entity(mixedPerson)
  const { element_token, session_id } = await lender(now).transfer(entity)
  let { bearer, view } = await open(now, element_token)
  const seen = []
  let kills = 0
  const restart = async () => {
    await now.kill()
    kills += 1
    now = await launch()
  }
  const comeBack = async () => {
    if (back === 'bearer') {
      const reply = await look(now, bearer)
      expect(reply.status === 200, `a bearer received ${reply.status} after a crash: ${reply.text}`)
      return reply.json
    }
    const made = await lender(now).must('POST', '/elements/token', { type: 'balance_transfer', session_id })
    const opened = await open(now, made.element_token)
    bearer = opened.bearer
    return opened.view
  }
  for (let screens = 0; screens < 40; screens += 1) {
    seen.push(view.step)
    await restart()
    const again = await comeBack()
    if (view.step === 'discovering') {
      view = again.step === 'discovering' ? await rest(now, bearer) : again
      continue
    }
    expect(place(again) === place(view), `before a crash at ${place(view)}, after it at ${place(again)}`)
    view = again
    if (answer(view) === null) break
    if (midway) {
      const sent = submit(now, bearer, view).then(
        reply => reply.json,
        () => null,
      )
      await new Promise(resolve => setTimeout(resolve, Math.random() * 25))
      await restart()
      await sent
      const after = await comeBack()
      view = after.step === 'discovering' ? await rest(now, bearer) : after
      if (answer(view) === null) continue
    }
    const reply = await submit(now, bearer, view)
    expect(reply.status === 200, `the step ${view.step} returned ${reply.status} after a crash: ${reply.text}`)
    if (reply.status !== 200) break
    view = reply.json
  }
  expect(view.step === 'done', `a flow under kills ended at ${view.step}`)
  const { json } = await lender(now).api('GET', `/opal/sessions/${session_id}`)
  expect(
    json.data.bt.completed && Object.keys(json.data.bt.allocations).length === 3,
    'the confirmed allocations are missing',
  )
  return { service: now, seen: new Set(seen), kills }
}

async function killedBetweenScreens(trial) {
  let service = await trial.launch()
  let kills = 0
  let flows = 0
  const seen = new Set()
  await trial.rounds(async round => {
    // The number of codes per hour is limited, and a kill midway can use up a code, so the counters are cleared before
    // each flow.
    await trial.store.query('delete from counters')
    const done = await walk(trial, service, round % 2 ? 'token' : 'bearer', round % 4 >= 2)
    service = done.service
    kills += done.kills
    flows += 1
    for (const step of done.seen) seen.add(step)
  })
  return `${kills} kills in ${flows} balance transfers, at ${[...seen].join(' ')}: each continued from the same step to the end, with its bearer token or a new token`
}

export const trials = [{ name: 'killed between screens', run: killedBetweenScreens, rounds: [1, 6], seconds: 60 }]
