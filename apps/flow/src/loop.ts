/** Runs the state machine: executes its commands, schedules its polls, and passes every new state to the renderer. */
import type { ToHost } from '@causeway/contract/frame'
import type { FrameClient, Outcome } from './frame-client.js'
import { type Command, initial, type Message, reduce, type State } from './machine.js'

export interface LoopDeps {
  calls: Omit<FrameClient, 'download'>
  tell: (message: ToHost) => void
  draw: (state: State) => void
  setTimeout: (run: () => void, ms: number) => number
  clearTimeout: (timer: number) => void
  /** Returns true if the page is visible. Polling pauses while the page is hidden. */
  visible: () => boolean
}

export interface Loop {
  state: () => State
  dispatch: (message: Message) => void
}

export function createLoop(deps: LoopDeps): Loop {
  let state = initial
  let timer = 0

  function dispatch(message: Message): void {
    const [next, commands] = reduce(state, message)
    const changed = next !== state
    state = next
    if (changed) deps.draw(state)
    commands.forEach(run)
  }

  function rest(): void {
    deps.clearTimeout(timer)
    timer = 0
  }

  function run(command: Command): void {
    switch (command.do) {
      case 'tell':
        deps.tell(command.message)
        return
      case 'rest':
        rest()
        return
      case 'poll':
        rest()
        // A hidden page skips this poll, because it refreshes anyway when it becomes visible again.
        timer = deps.setTimeout(() => deps.visible() && dispatch({ type: 'refresh' }), command.after)
        return
      case 'leave':
        deps.calls.leave(command.bearer)
        return
      case 'call':
        void call(command)
    }
  }

  function settle<T>(turn: number, outcome: Outcome<T>, arrived: (value: T) => Message): void {
    dispatch(outcome.ok ? arrived(outcome.value) : { type: 'failed', turn, fault: outcome.fault })
  }

  async function call({ turn, call, bearer }: Extract<Command, { do: 'call' }>): Promise<void> {
    if (call.kind === 'redeem') {
      const { origin, mode } = state
      const request = { token: call.token, exchange_id: call.exchange_id, prepared: call.prepared, origin, mode }
      settle(turn, await deps.calls.redeem(request), answer => ({ type: 'redeemed', turn, answer }))
      return
    }
    const outcome =
      call.kind !== 'step'
        ? await deps.calls[call.kind === 'open' ? 'open' : 'view'](bearer ?? '')
        : await deps.calls.step(bearer ?? '', call.step, call.revision, call.input)
    settle(turn, outcome, view => ({ type: 'viewed', turn, view }))
  }

  return { state: () => state, dispatch }
}
