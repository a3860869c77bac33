// biome-ignore-all lint/style/noExcessiveLinesPerFile: it tests every transition.
/** Tests the frame's state machine. */
import type { SessionView } from '@causeway/contract/session'
import { describe, expect, test } from 'vitest'
import { gallery } from '../dev/fixtures.js'
import type { Fault } from './frame-client.js'
import { type Command, initial, type Message, pollDelay, reduce, type State } from './machine.js'

const fault = (kind: Fault['kind'], sub_type = 'X'): Fault => ({
  kind,
  error_type: 'API_ERROR',
  sub_type,
  message: 'm',
  request_id: null,
  wait: null,
})

/**
 * Applies messages in order. A message can be a function of the state, for example, to read the current call's number.
 */
function play(...messages: (Message | ((state: State) => Message))[]): { state: State; commands: Command[] } {
  let state = initial
  let commands: Command[] = []
  for (const message of messages)
    [state, commands] = reduce(state, typeof message === 'function' ? message(state) : message)
  return { state, commands }
}
const told = (commands: Command[]) => commands.flatMap(c => (c.do === 'tell' ? [c.message.type] : []))
const sent = (commands: Command[]) => commands.find(c => c.do === 'call')
const opened: Message = {
  type: 'opened',
  origin: 'https://lender.example',
  mode: 'balance_transfer',
  view: null,
  hidden: false,
}
const token = (exchange_id = 'e1'): Message => ({ type: 'token', token: 't', exchange_id })
const redeemed =
  (view: SessionView) =>
  (state: State): Message => ({ type: 'redeemed', turn: state.turn, answer: { bearer: 'b', view } })
const viewed =
  (view: SessionView) =>
  (state: State): Message => ({ type: 'viewed', turn: state.turn, view })
const failed =
  (f: Fault) =>
  (state: State): Message => ({ type: 'failed', turn: state.turn, fault: f })
const accept: Message = { type: 'submit', input: { action: 'accept', documents: [], locale: 'en' } }

const consent = gallery.consent['plain']!
const phone = { ...gallery.phone['plain']!, revision: 2 } as SessionView
const begin = [opened, token(), redeemed(consent)] as const

describe('a prepared session', () => {
  const prepared: Message = { ...opened, hidden: true }
  const early = { ...prepared, view: consent }

  test('redeems its token, reports ready only then, and makes no call until it is shown', () => {
    expect(told(play(early).commands)).toEqual(['auth.request'])
    const { state, commands } = play(early, token(), redeemed(consent))
    expect(told(commands)).toEqual(['ready'])
    expect(sent(play(early, token()).commands)).toMatchObject({ call: { kind: 'redeem', prepared: true } })
    for (const message of [{ type: 'refresh' }, { type: 'online' }, { type: 'leave' }, accept] as const)
      expect(reduce(state, message)).toEqual([state, []])
    expect(reduce(state, { type: 'close' })[1]).toEqual([{ do: 'rest' }])
  })

  test('starts when it is shown, and then submits a step that was pressed in the meantime', () => {
    const { state, commands } = play(early, token(), redeemed(consent), { type: 'open' })
    expect(sent(commands)).toMatchObject({ call: { kind: 'open' }, bearer: 'b' })
    const [pressed, none] = reduce(state, accept)
    expect([pressed.busy, sent(none)]).toEqual([true, undefined])
    expect(sent(reduce(pressed, viewed(consent)(pressed))[1])).toMatchObject({
      call: { kind: 'step', step: 'consent' },
    })
  })

  test('that is shown before its token is redeemed starts after the redemption, and polls like any other', () => {
    const { state, commands } = play(prepared, token(), { type: 'open' })
    expect(sent(commands)).toBeUndefined()
    expect(sent(reduce(state, redeemed(consent)(state))[1])).toMatchObject({ call: { kind: 'open' } })
    const wait = gallery.discovering['plain']!
    const polls = (all: Command[]) => all.filter(each => each.do === 'poll').length
    expect(polls(play(prepared, token(), redeemed(wait)).commands)).toBe(0)
    expect(polls(play(prepared, token(), redeemed(wait), { type: 'open' }, viewed(wait)).commands)).toBe(1)
  })

  test('without a first screen is ready with its placeholders, and shows the screen that its start returns', () => {
    const without = (state: State): Message => ({ type: 'redeemed', turn: state.turn, answer: { bearer: 'b' } })
    const { state, commands } = play(prepared, token(), without)
    expect([told(commands), state.phase]).toEqual([['ready'], 'opening'])
    expect(play(prepared, token(), without, { type: 'open' }, viewed(phone)).state.view?.step).toBe('phone')
  })

  test('that ended before it was shown requests another token', () => {
    const { state, commands } = play(early, token(), redeemed(consent), { type: 'open' }, failed(fault('expired')))
    expect(commands).toContainEqual({ do: 'tell', message: { type: 'auth.request', reason: 'expired' } })
    expect(sent(reduce(state, token('e2'))[1])).toMatchObject({ call: { kind: 'redeem', prepared: false } })
  })
})

describe('opening', () => {
  test('requests the token from the host, redeems it, and reports ready once', () => {
    expect(told(play(opened).commands)).toEqual(['auth.request'])
    expect(sent(play(opened, token('e9')).commands)).toMatchObject({
      call: { kind: 'redeem', token: 't', exchange_id: 'e9' },
    })
    expect(told(play(...begin).commands)).toEqual(['ready'])
    expect(told(play(...begin, accept, viewed(phone)).commands)).not.toContain('ready')
  })

  test('repeats a failed redemption with the same exchange id', () => {
    const { state, commands } = play(opened, token('e1'), failed(fault('unavailable')))
    expect(told(commands)).toEqual(['ready', 'error'])
    const [, again] = reduce(state, { type: 'retry' })
    expect(sent(again)).toMatchObject({ call: { kind: 'redeem', token: 't', exchange_id: 'e1' } })
  })

  test('requests another token after the first rejection, and ends the session after the second', () => {
    const once = play(opened, token(), failed(fault('rejected')))
    expect(once.commands).toContainEqual({ do: 'tell', message: { type: 'auth.request', reason: 'rejected' } })
    const twice = play(opened, token(), failed(fault('rejected')), token('e2'), failed(fault('rejected')))
    expect(twice.state.phase).toBe('over')
  })

  test('ends permanently if the origin or mode is not allowed to use the token', () => {
    const { state, commands } = play(opened, token(), failed(fault('misplaced', 'ORIGIN_NOT_ALLOWED')))
    expect(state.phase).toBe('refused')
    expect(commands).toContainEqual(
      expect.objectContaining({ message: expect.objectContaining({ type: 'error', recoverable: false }) }),
    )
  })

  test('ignores a second token while one is being redeemed', () => {
    expect(play(opened, token('e1'), token('e2')).commands).toEqual([])
  })
})

describe('a page served with its first screen', () => {
  const early = { ...consent, session_id: '', entity_id: '' } as SessionView
  const drawn = { ...opened, view: early } as Message

  test('draws it immediately, while the token is requested and exchanged', () => {
    expect(told(play(drawn).commands)).toEqual(['auth.request', 'ready'])
    expect(play(drawn, token()).state).toMatchObject({ phase: 'flow', view: early, busy: false })
    expect(told(play(drawn, token(), redeemed(consent)).commands)).toEqual([])
  })

  test('sends a step that was pressed before the session starts as soon as it does, once', () => {
    for (const pressed of [
      [drawn, accept, token()],
      [drawn, token(), accept, accept],
    ]) {
      expect(play(...pressed).state.busy).toBe(true)
      const { commands } = play(...pressed, redeemed(consent))
      expect(commands.filter(c => c.do === 'call')).toMatchObject([
        { bearer: 'b', call: { kind: 'step', step: 'consent', revision: 1 } },
      ])
    }
  })

  test('does not send a pressed step if the session is at another step', () => {
    const { state, commands } = play(drawn, token(), accept, redeemed(phone))
    expect(sent(commands)).toBeUndefined()
    expect(state).toMatchObject({ view: phone, busy: false, held: null })
  })

  test('repeats a failed exchange when a step is pressed, and then sends the step', () => {
    const pressed = play(drawn, token('e1'), failed(fault('unavailable')), accept)
    expect(sent(pressed.commands)).toMatchObject({ call: { kind: 'redeem', exchange_id: 'e1' } })
    const [, commands] = reduce(pressed.state, redeemed(consent)(pressed.state))
    expect(sent(commands)).toMatchObject({ call: { kind: 'step', step: 'consent' } })
  })
})

describe('steps', () => {
  test('sends a step with the revision of the view that showed it', () => {
    expect(sent(play(...begin, accept).commands)).toMatchObject({ call: { step: 'consent', revision: 1 }, bearer: 'b' })
  })

  test('sends nothing for a second press while the first is in progress', () => {
    expect(play(...begin, accept, accept).commands).toEqual([])
  })

  test('keeps the view after a failure, and retries the identical call', () => {
    const { state } = play(...begin, accept, failed(fault('offline')))
    expect(state.view).toBe(consent)
    expect(state.fault?.kind).toBe('offline')
    const [next, commands] = reduce(state, { type: 'retry' })
    expect(sent(commands)).toMatchObject({ call: { step: 'consent', revision: 1 } })
    expect(next.fault).toBeNull()
  })

  test('resends a call that did not get through once the device is online', () => {
    for (const kind of ['offline', 'unavailable'] as const) {
      const { state } = play(...begin, accept, failed(fault(kind)))
      const [next, commands] = reduce(state, { type: 'online' })
      expect(sent(commands)).toMatchObject({ call: { kind: 'step', step: 'consent', revision: 1 } })
      expect(next).toMatchObject({ fault: null, busy: true })
    }
    const limited = play(...begin, accept, failed(fault('limited')))
    expect(reduce(limited.state, { type: 'online' })[1]).toEqual([])
    expect(sent(reduce(play(...begin).state, { type: 'online' })[1])).toMatchObject({ call: { kind: 'refresh' } })
  })

  test('does not resend a failed call after the person has changed the input', () => {
    const { state } = play(...begin, accept, failed(fault('offline')), { type: 'edited' })
    expect(state).toMatchObject({ fault: null, call: null })
    expect(sent(reduce(state, { type: 'online' })[1])).toMatchObject({ call: { kind: 'refresh' } })
    expect(play(...begin, accept, { type: 'edited' }).state.call).toMatchObject({ kind: 'step' })
  })

  test('does not send a held step after the person has changed the input', () => {
    const cut = [...begin, accept, failed(fault('expired')), token('e2'), failed(fault('offline'))] as const
    expect(sent(play(...cut, { type: 'online' }, redeemed(consent)).commands)).toMatchObject({ call: { kind: 'step' } })
    const { state, commands } = play(...cut, { type: 'edited' }, { type: 'online' })
    expect(sent(commands)).toMatchObject({ call: { kind: 'redeem', exchange_id: 'e2' } })
    expect(sent(reduce(state, redeemed(consent)(state))[1])).toBeUndefined()
  })

  test('drops the response to an abandoned call', () => {
    const late = play(...begin, accept, failed(fault('offline')), { type: 'retry' })
    const [state] = reduce(late.state, { type: 'viewed', turn: late.state.turn - 1, view: phone })
    expect(state.view).toBe(consent)
  })

  test("forwards the service's events to the host", () => {
    const event = { type: 'a.b.c', timestamp: '2026-11-23T00:00:00.000Z', data: null }
    expect(told(play(...begin, accept, viewed({ ...phone, events: [event] })).commands)).toEqual(['event'])
  })
})

describe('the end of a session', () => {
  const expired = [...begin, accept, failed(fault('expired'))] as const

  test('requests a new token and keeps the view on screen', () => {
    const { state, commands } = play(...expired)
    expect(commands).toContainEqual({ do: 'tell', message: { type: 'auth.request', reason: 'expired' } })
    expect(state).toMatchObject({ phase: 'flow', view: consent, busy: true, bearer: null })
  })

  test('resends the interrupted step if the session has not moved on', () => {
    expect(sent(play(...expired, token('e2'), redeemed(consent)).commands)).toMatchObject({
      call: { kind: 'step', step: 'consent', revision: 1 },
    })
  })

  test('does not resend it if the session has moved on', () => {
    const { state, commands } = play(...expired, token('e2'), redeemed(phone))
    expect(sent(commands)).toBeUndefined()
    expect(state.view?.step).toBe('phone')
  })

  test('is over if the host provides no token, until the person retries', () => {
    const { state } = play(...expired, { type: 'token', token: null, exchange_id: 'e2' })
    expect(state.phase).toBe('over')
    const [next, commands] = reduce(state, { type: 'retry' })
    expect(next.phase).toBe('flow')
    expect(told(commands)).toEqual(['auth.request'])
  })
})

describe('waiting', () => {
  const wait = gallery.discovering['plain']!
  const waiting = [opened, token(), redeemed(wait)] as const

  test('polls after 0.7 s, then more slowly, but at least every 2 s', () => {
    expect(play(...waiting).commands).toContainEqual({ do: 'poll', after: 700 })
    const delays = [0, 1, 2, 3, 4, 5, 20].map(n => pollDelay(n, 0))
    expect(delays).toEqual([...delays].sort((a, b) => a - b))
    expect(delays.at(-1)).toBe(2000)
  })

  test('shows a failed poll only if polls keep failing', () => {
    const once = play(...waiting, { type: 'refresh' }, failed(fault('unavailable')))
    expect(once.state.fault).toBeNull()
    expect(once.commands.some(c => c.do === 'poll')).toBe(true)
    const look = [{ type: 'refresh' } as const, failed(fault('unavailable'))]
    const thrice = play(...waiting, ...look, ...look, ...look)
    expect(thrice.state.fault?.kind).toBe('unavailable')
    expect(play(...waiting, ...look, ...look, ...look, { type: 'refresh' }, viewed(wait)).state.fault).toBeNull()
  })

  test('changes nothing if a poll fails on a screen where the person types', () => {
    const { state } = play(...begin, { type: 'refresh' }, failed(fault('unavailable')))
    expect(state).toMatchObject({ fault: null, busy: false, view: consent })
  })

  test('gives a submitted step priority over a poll in progress', () => {
    const { state } = play(...begin, { type: 'refresh' }, accept)
    expect(state.call).toMatchObject({ kind: 'step' })
  })
})

describe('a connect session that continues with a balance transfer', () => {
  const [selection, end] = [
    gallery.selection['plain'] ?? Object.values(gallery.selection)[0]!,
    gallery.done['connect']!,
  ]
  const linked = {
    ...end,
    revision: selection.revision + 1,
    data: { ...end.data, continues: true },
  } as SessionView
  const choose: Message = { type: 'submit', input: { action: 'select', accounts: [] } }

  test('reports the linked accounts, and keeps the screen until the first screen of the transfer', () => {
    const { state, commands } = play(opened, token(), redeemed(selection), choose, viewed(linked))
    expect(state).toMatchObject({ view: selection, busy: true })
    expect(commands).toContainEqual({ do: 'tell', message: expect.objectContaining({ type: 'success' }) })
    const { revision } = linked
    const call = { kind: 'step', step: 'done', revision, input: { action: 'continue' } }
    expect(commands).toContainEqual(expect.objectContaining({ do: 'call', call }))
  })
})

describe('done', () => {
  const review = gallery.review['plain']!
  const done = { ...gallery.done['plain']!, revision: 2, accounts: ['acc_A'], result: 'jws' } as SessionView
  const confirm: Message = { type: 'submit', input: { action: 'confirm' } }

  test('reports the allocations and then success on confirmation, each once', () => {
    const { state, commands } = play(opened, token(), redeemed(review), confirm, viewed(done))
    expect(told(commands)).toEqual(['allocations.confirmed', 'success'])
    expect(commands).toContainEqual(
      expect.objectContaining({ message: expect.objectContaining({ residual_amount: 128_760 }) }),
    )
    const [, again] = reduce({ ...state }, { type: 'refresh' })
    const [, later] = reduce({ ...state, turn: 9 }, { type: 'viewed', turn: 9, view: done })
    expect(told([...again, ...later])).toEqual([])
  })

  test('polls while the page is open, more slowly each time, and stops after half an hour', () => {
    const { commands } = play(opened, token(), redeemed(done))
    expect(commands.at(-1)).toEqual({ do: 'poll', after: 5_000 })
    let { state } = play(opened, token(), redeemed(done))
    const delays: number[] = []
    for (let looks = 0; looks < 100; looks++) {
      const [asked] = reduce(state, { type: 'refresh' })
      const [next, after] = reduce(asked, { type: 'viewed', turn: asked.turn, view: done })
      state = next
      const last = after.at(-1)
      if (last?.do === 'poll') delays.push(last.after)
    }
    expect(delays).toEqual([...delays].sort((a, b) => a - b))
    expect(delays.at(-1)).toBe(60_000)
    const whole = delays.reduce((sum, delay) => sum + delay, 5_000)
    expect(whole).toBeGreaterThan(25 * 60_000)
    expect(whole).toBeLessThan(40 * 60_000)
  })

  test('shows nothing if a poll at the end fails, and polls again', () => {
    const { state, commands } = play(opened, token(), redeemed(done), { type: 'refresh' }, failed(fault('unavailable')))
    expect(state).toMatchObject({ fault: null, view: done })
    expect(commands.at(-1)).toMatchObject({ do: 'poll' })
  })

  test('does not poll at the end of a flow without a loan', () => {
    const { commands } = play(opened, token(), redeemed(gallery.done['connect']!))
    expect(commands.some(command => command.do === 'poll')).toBe(false)
  })

  test("reports the person's own page as a success, and reports nothing more on a withdrawal or on leaving", () => {
    const own = gallery.manage['plain']!
    const gone = { ...gallery.manage['withdrawn']!, revision: 2 } as SessionView
    const end = { ...gallery.done['withdrawn']!, revision: 3 } as SessionView
    const first = play(opened, token(), redeemed(own))
    expect(told(first.commands)).toEqual(['ready', 'success'])
    const withdraw: Message = { type: 'submit', input: { action: 'withdraw', account: 'acc_A' } }
    const all: Message = { type: 'submit', input: { action: 'withdraw_all' } }
    const second = play(opened, token(), redeemed(own), withdraw, viewed(gone))
    expect(told(second.commands)).toEqual([])
    expect(told(play(opened, token(), redeemed(own), all, viewed(end)).commands)).toEqual([])
    expect(reduce(second.state, { type: 'leave' })[1]).toEqual([])
  })

  test('reports success without a new confirmation if the session was done before it was opened', () => {
    expect(told(play(opened, token(), redeemed(done)).commands)).toEqual(['ready', 'success'])
  })
})

test('sends nothing more and discards the bearer once the host closes it', () => {
  const { state } = play(...begin, { type: 'close' })
  expect(state).toMatchObject({ phase: 'closed', bearer: null })
  expect(reduce(state, accept)[1]).toEqual([])
})

test('reports a person who leaves before the end to the service once, and does not report one who leaves at the end', () => {
  const { state } = play(...begin)
  const left = { do: 'leave', bearer: state.bearer }
  expect(reduce(state, { type: 'leave' })).toEqual([state, [left]])
  const [closed, commands] = reduce(state, { type: 'close' })
  expect(commands).toContainEqual(left)
  expect(reduce(closed, { type: 'leave' })[1]).toEqual([])
  const over = { ...state, view: gallery.done['plain']! }
  expect(reduce(over, { type: 'close' })[1]).toEqual([{ do: 'rest' }])
})
