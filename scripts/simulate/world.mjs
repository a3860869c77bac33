/**
 * The simulated machine room: one virtual clock and one queue of events, in which every event belongs to an actor. An
 * actor is a process of the service, or everything outside of the service. Only one event runs at a time, and all of
 * its promises settle before the next one starts, so the order of events is the order of the queue.
 */

const nextTurn = globalThis.setImmediate
/** The limits of a pause that is longer than a job's lease, in ms. */
export const LONG_PAUSE_MS = [16_000, 70_000]
const START_MS = Date.parse('2026-03-02T15:00:00.000Z')

/** Thrown in the code of a killed process. */
export class Killed extends Error {
  name = 'Killed'
}

export function createWorld() {
  /** A binary heap of events, ordered by time and then by the order in which they were scheduled. */
  const heap = []
  let sequence = 0
  let time = 0
  let current
  /** The number of native operations, such as signatures, that other threads are working on. */
  let nativeWork = 0
  /** The latest native operation. They run one after another, so that they end in a fixed order. */
  let lastNative = Promise.resolve()

  const isBefore = (one, other) => one.time < other.time || (one.time === other.time && one.sequence < other.sequence)

  function push(event) {
    let index = heap.push(event) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (isBefore(heap[parent], event)) break
      heap[index] = heap[parent]
      index = parent
    }
    heap[index] = event
  }

  function pop() {
    const first = heap[0]
    const last = heap.pop()
    if (heap.length === 0) return first
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child += 1
      if (isBefore(last, heap[child])) break
      heap[index] = heap[child]
      index = child
    }
    heap[index] = last
    return first
  }

  /** Runs the promises and native work that the latest event left behind. */
  async function settle() {
    do await new Promise(resolve => nextTurn(resolve))
    while (nativeWork > 0)
  }

  const world = {
    /** The number of events that have run. */
    events: 0,
    /** The actor whose code is running. */
    get current() {
      return current
    },
    /** Virtual time since the start, in ms. While an actor works, the time that its work takes is included. */
    now: () => time + current.cost,
    /** The time of day that an actor's own clock shows, in epoch ms. */
    wallClock: () => START_MS + time + current.cost + current.clockOffset(time),
    createActor(name) {
      return { name, isAlive: true, cost: 0, busyUntil: 0, clockOffset: () => 0 }
    },
    /** Runs code once on behalf of an actor, in the middle of another actor's event. */
    as(actor, run) {
      const previous = current
      current = actor
      try {
        return run()
      } finally {
        current = previous
      }
    },
    /** Schedules an event. @returns the event; set `isCanceled` to cancel it */
    schedule(actor, delayMs, run) {
      if (!actor) throw new Error('An event needs an actor.')
      const at = time + (current?.cost ?? 0)
      const event = { time: at + Math.max(0, delayMs), sequence: sequence++, actor, run, isCanceled: false }
      push(event)
      return event
    },
    /** Adds to the time that the current event takes, so that later events of the same actor wait for it. */
    spend(ms) {
      current.cost += ms
    },
    /** Stops an actor from handling events for a while, as a machine that swaps does. */
    pause(actor, ms) {
      actor.busyUntil = Math.max(actor.busyUntil, time) + ms
    },
    /** Runs native asynchronous work and counts it, so that the next event waits for its result. */
    native(work) {
      nativeWork += 1
      const result = lastNative.then(work)
      lastNative = result.then(
        () => {},
        () => {},
      )
      return result.finally(() => {
        nativeWork -= 1
      })
    },
    /** Runs events until `isOver` returns true or no event is left. */
    async run(isOver) {
      await settle()
      while (heap.length > 0 && !isOver()) {
        const event = pop()
        const { actor } = event
        if (event.isCanceled || !actor.isAlive) continue
        if (actor.busyUntil > event.time) {
          event.time = actor.busyUntil
          push(event)
          continue
        }
        time = event.time
        current = actor
        actor.cost = 0
        world.events += 1
        event.run()
        await settle()
        actor.busyUntil = Math.max(actor.busyUntil, time + actor.cost)
        actor.cost = 0
      }
    },
  }
  /** Everything outside of the service: clients, receivers, companies. */
  world.outside = world.createActor('outside')
  current = world.outside
  return world
}
