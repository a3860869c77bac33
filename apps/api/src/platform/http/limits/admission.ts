import { ServiceError } from '@causeway/contract/errors'
import { createSlices } from '../../event-loop.js'

/** A request that is being handled. The request occupies a slot until it ends. */
export interface AdmittedRequest {
  /**
   * Releases the slot while `work` waits for something outside this process. Afterward, the request continues without
   * waiting for a slot. Calls may be nested.
   */
  releaseWhile<T>(work: () => Promise<T>): Promise<T>
  end(): void
}

/** The slot of a request whose team is not known at its beginning. */
export interface DeferredSlot extends AdmittedRequest {
  /** Waits for a slot, unless the request already has one. See {@link Admission.enter}. */
  enter(team: string): Promise<void>
}

export function createDeferredSlot(admission: Pick<Admission, 'enter'>): DeferredSlot {
  let admitted: AdmittedRequest | undefined
  return {
    async enter(team) {
      admitted ??= await admission.enter(team)
    },
    releaseWhile: work => (admitted ? admitted.releaseWhile(work) : work()),
    end: () => admitted?.end(),
  }
}

/** The number of requests that have a slot, and the number waiting for one. */
interface AdmissionCounts {
  running: number
  waiting: number
}

export interface Admission {
  /**
   * Waits for a slot. Each team's requests are admitted in order, and the teams take turns.
   * @param team the root of a team tree; the whole tree is treated as one team
   * @throws SERVICE_UNAVAILABLE with Retry-After if too many requests are waiting, or if this one has waited too long
   */
  enter(team: string): AdmittedRequest | Promise<AdmittedRequest>
  counts(): AdmissionCounts
}

interface AdmissionLimits {
  /** The maximum number of requests to handle at the same time. */
  slots: number
  /** The maximum number of slots for one team while other teams also have requests. */
  slotsPerTeam: number
  /** The maximum number of waiting requests: for one team and in total. */
  waiting: { team: number; all: number }
}

/**
 * Returns the number of request slots for a store. While teams compete for slots, each gets only a few, so that
 * requests finish quickly and a team with occasional requests waits only briefly.
 */
export const admissionLimits = ({ width }: { width: number }): AdmissionLimits => ({
  slots: width,
  slotsPerTeam: Math.max(2, Math.floor(width / 32)),
  waiting: { team: 1_000, all: 2_000 },
})

/** The maximum wait for a slot, in ms. */
const SLOT_TIMEOUT_MS = 3_000
/**
 * The maximum wait, in ms, of a request that can't expect a slot within SLOT_TIMEOUT_MS. It is rejected early, but not
 * immediately, because a client that retries without a pause would otherwise use the time of the admitted requests.
 */
const HOPELESS_WAIT_MS = 500
/** The period, in ms, over which the rate of a team's admissions is measured. */
const RATE_WINDOW_MS = 1_000
/** The time in ms for which a team counts as active after its last request. */
const ACTIVE_TEAM_MS = 2_000

interface Waiting {
  admit(): void
  reject(): void
  until: number
}

interface TeamQueue {
  running: number
  waiting: Waiting[]
  /**
   * The number of admissions since `windowBeganAt`, and in the complete window before that. The first window begins when
   * a request has to wait, because without waiting requests, the number says nothing about the team's possible rate.
   */
  admitted: number
  admittedBefore: number
  windowBeganAt: number
}

/** Begins a new window if the current one is over. */
function moveWindow(line: TeamQueue, now: number): void {
  const age = now - line.windowBeganAt
  if (age < RATE_WINDOW_MS) return
  line.admittedBefore = age < 2 * RATE_WINDOW_MS ? line.admitted : 0
  line.admitted = 0
  line.windowBeganAt = now
}

/** Returns the expected wait, in ms, of a team's next request, or 0 if it is not known. */
const expectedWait = ({ waiting, admittedBefore }: TeamQueue) =>
  admittedBefore === 0 ? 0 : (waiting.length * RATE_WINDOW_MS) / admittedBefore

/** The requests of all teams that have a slot or wait for one. */
class TeamQueues {
  /** Teams with a running or waiting request, in order of their last admission, least recent first. */
  readonly #byTeam = new Map<string, TeamQueue>()
  running = 0
  waiting = 0

  of(team: string): TeamQueue {
    let line = this.#byTeam.get(team)
    if (!line) {
      line = { running: 0, waiting: [], admitted: 0, admittedBefore: 0, windowBeganAt: 0 }
      this.#byTeam.set(team, line)
    }
    return line
  }

  all(): Iterable<TeamQueue> {
    return this.#byTeam.values()
  }

  /** Gives a slot to a team's request, and moves the team behind all others. */
  admit(team: string, now: number): void {
    const line = this.of(team)
    this.#byTeam.delete(team)
    this.#byTeam.set(team, line)
    moveWindow(line, now)
    line.admitted += 1
    this.occupySlot(team)
  }

  occupySlot(team: string): void {
    this.running += 1
    this.of(team).running += 1
  }

  freeSlot(team: string): void {
    const line = this.of(team)
    this.running -= 1
    line.running -= 1
    this.forgetIdle(team, line)
  }

  /** Removes a team without running and waiting requests. */
  forgetIdle(team: string, line: TeamQueue): void {
    if (line.running === 0 && line.waiting.length === 0) this.#byTeam.delete(team)
  }

  add(line: TeamQueue, request: Waiting): void {
    this.waiting += 1
    line.waiting.push(request)
  }

  admitNext(line: TeamQueue): void {
    this.waiting -= 1
    line.waiting.shift()!.admit()
  }

  /** Rejects all requests that have waited too long. */
  rejectLate(now: number): void {
    for (const [team, line] of this.#byTeam) {
      const late = line.waiting.filter(each => each.until <= now)
      if (late.length === 0) continue
      line.waiting = line.waiting.filter(each => each.until > now)
      this.waiting -= late.length
      for (const each of late) each.reject()
      this.forgetIdle(team, line)
    }
  }
}

/** Returns a request that has a slot. @param freeSlot frees a team's slot and admits the next request */
function admittedRequest(team: string, queues: TeamQueues, freeSlot: (team: string) => void): AdmittedRequest {
  let state: 'running' | 'away' | 'ended' = 'running'
  return {
    async releaseWhile(work) {
      if (state !== 'running') return work()
      state = 'away'
      freeSlot(team)
      try {
        return await work()
      } finally {
        if (state === 'away') {
          // A partly handled request doesn't wait for a slot again.
          queues.occupySlot(team)
          state = 'running'
        }
      }
    },
    end() {
      const wasRunning = state === 'running'
      state = 'ended'
      if (wasRunning) freeSlot(team)
    },
  }
}

/**
 * Keeps requests fast by limiting the number that use the store at the same time. Divides the slots among the teams
 * that have requests, so that a team that sends too many requests delays only its own.
 */
export function createAdmission(
  { slots, slotsPerTeam, waiting: bounds }: AdmissionLimits,
  elapsed: () => number = () => performance.now(),
): Admission {
  const queues = new TeamQueues()
  let lastTeam: string | undefined
  /** The end of the period in which several teams count as active. */
  let contested = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const slices = createSlices(elapsed)
  let isServingLater = false

  const hasFreeSlot = (line: TeamQueue) =>
    queues.running < slots && line.running < (elapsed() < contested ? slotsPerTeam : Number.POSITIVE_INFINITY)

  /** Admits waiting requests in the next slice of the event loop. */
  async function serveLater(): Promise<void> {
    if (isServingLater) return
    isServingLater = true
    await slices.next()
    isServingLater = false
    serve()
  }

  function serve(): void {
    for (let served = true; served && queues.waiting > 0 && queues.running < slots; ) {
      if (!slices.hasTime()) {
        void serveLater()
        return
      }
      served = false
      for (const line of queues.all()) {
        if (line.waiting.length === 0 || !hasFreeSlot(line)) continue
        queues.admitNext(line)
        served = true
        break
      }
    }
    if (queues.waiting === 0) stopTimer()
  }

  function freeSlot(team: string): void {
    queues.freeSlot(team)
    serve()
  }

  function admit(team: string): AdmittedRequest {
    queues.admit(team, elapsed())
    return admittedRequest(team, queues, freeSlot)
  }

  function stopTimer(): void {
    clearInterval(timer)
    timer = undefined
  }

  /** Rejects requests that have waited too long, and admits more requests if only one team remains. */
  function tick(): void {
    queues.rejectLate(elapsed())
    serve()
  }

  /** Returns a promise of a slot for the request that is behind all others of its team. */
  function wait(team: string, line: TeamQueue, now: number): Promise<AdmittedRequest> {
    if (line.waiting.length === 0) Object.assign(line, { admitted: 0, admittedBefore: 0, windowBeganAt: now })
    moveWindow(line, now)
    const isHopeless = expectedWait(line) > SLOT_TIMEOUT_MS
    timer ??= setInterval(tick, 100).unref()
    return new Promise((resolve, reject) => {
      queues.add(line, {
        admit: () => resolve(admit(team)),
        reject: () => reject(busy()),
        until: now + (isHopeless ? HOPELESS_WAIT_MS : SLOT_TIMEOUT_MS),
      })
    })
  }

  return {
    enter(team) {
      const now = elapsed()
      if (lastTeam !== team) {
        if (lastTeam !== undefined) contested = now + ACTIVE_TEAM_MS
        lastTeam = team
      }
      const line = queues.of(team)
      const canStart = line.waiting.length === 0 && hasFreeSlot(line)
      if (canStart && slices.hasTime()) return admit(team)
      if (line.waiting.length >= bounds.team || queues.waiting >= bounds.all) {
        queues.forgetIdle(team, line)
        throw busy()
      }
      const slot = wait(team, line, now)
      if (canStart) void serveLater()
      return slot
    },
    counts: () => ({ running: queues.running, waiting: queues.waiting }),
  }
}

const busy = () =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    'The service is busy. Nothing was changed. Retry the request, with the same Idempotency-Key if it has one.',
    { 'Retry-After': '1' },
  )
