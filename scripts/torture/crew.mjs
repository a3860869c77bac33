/**
 * The processes of one service. Any of them can be killed and restarted at any time. Callers then use any process that
 * is still running.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { lender } from './lender.mjs'

const pause = ms => new Promise(resolve => setTimeout(resolve, ms))
/** Status codes indicating that a request has had no effect yet. */
const passing = new Set([409, 503])
/**
 * The time, in ms, after which a request without a response counts as a violation. Allows for slow responses between
 * two kills.
 */
const HANG_TIMEOUT_MS = 180_000

/**
 * @param roles the roles; one process is kept running for each: `all`, or `api` and `worker`
 * @param more `patience`: how long a client waits for one response, in ms; `server`: the program that every process
 * runs; `envs`: variables for each process, in the order of `roles`
 */
export async function createCrew(launch, env, roles, { patience, server, envs = [] } = {}) {
  const members = await Promise.all(
    roles.map(async (role, index) => {
      const own = { ...env, ...envs[index], ROLE: role }
      return { role, own, server, service: await launch(own, server), up: true }
    }),
  )
  const serving = members.filter(({ role }) => role !== 'worker')
  let tell = () => {}
  let change = new Promise(resolve => {
    tell = resolve
  })
  /** The responses that clients are waiting for, by process. */
  const unanswered = new WeakMap()
  const watches = new Set()
  const waiting = new Set()
  /** Records that a write was acknowledged. @param begun the time at which it was sent */
  function acknowledge(begun) {
    const now = performance.now()
    for (const each of watches) {
      each.longest = Math.max(each.longest, now - each.last)
      each.last = now
    }
    for (const each of waiting) if (begun >= each.since) each.resolve()
  }
  const crew = {
    kills: 0,
    brokenOff: 0,
    timedOut: 0,
    /** The number of rejections, by code, that ask the client to retry. */
    putOff: new Map(),
    slowest: 0,
    /**
     * Starts measuring periods without an acknowledged write.
     * @returns a function that stops the measurement and returns the longest period, in ms
     */
    watch() {
      const watch = { last: performance.now(), longest: 0 }
      watches.add(watch)
      return () => {
        watches.delete(watch)
        return Math.max(watch.longest, performance.now() - watch.last)
      }
    },
    /** Waits for the acknowledgment of a write that is sent after this call. */
    async acknowledged() {
      const waiter = { since: performance.now() }
      const done = new Promise(resolve => {
        waiter.resolve = resolve
      })
      waiting.add(waiter)
      // Without `ref: false`, the unused timer would keep this process running after the last test.
      await Promise.race([done, wait(HANG_TIMEOUT_MS, undefined, { ref: false })])
      waiting.delete(waiter)
    },
    /** Resolves to a process that accepts requests, as soon as there is one. */
    async anyone() {
      for (const until = performance.now() + HANG_TIMEOUT_MS; performance.now() < until; ) {
        const open = serving.filter(({ up }) => up)
        if (open.length > 0) return open[Math.floor(Math.random() * open.length)].service
        await Promise.race([change, pause(1_000)])
      }
      throw new Error('No process accepted requests in time.')
    },
    /**
     * Sends a request to any running process, and repeats the same bytes until it receives a response. `key` is the
     * Idempotency-Key. In the result, `again` is true if the service may have carried out an earlier attempt.
     */
    async ask(method, path, body, key) {
      const until = performance.now() + HANG_TIMEOUT_MS
      const bytes = body === undefined ? undefined : JSON.stringify(body)
      let said = ''
      for (let again = false; ; ) {
        const service = await crew.anyone()
        const begun = performance.now()
        try {
          const headers = key ? { 'idempotency-key': key } : {}
          const answer = lender(service).api(method, path, bytes, headers, patience)
          const open = unanswered.get(service) ?? new Set()
          unanswered.set(service, open.add(answer))
          const reply = await answer.finally(() => open.delete(answer))
          if (!passing.has(reply.status)) {
            if (key && reply.status === 200) acknowledge(begun)
            return { ...reply, again }
          }
          const code = reply.json?.error?.sub_type ?? reply.status
          crew.putOff.set(code, (crew.putOff.get(code) ?? 0) + 1)
          said = `${reply.status} ${reply.text}`
          await pause(200)
        } catch (error) {
          if (error.code === 'ETIMEDOUT') crew.timedOut += 1
          else crew.brokenOff += 1
          await pause(10)
        }
        if (performance.now() > until) throw new Error(`${method} ${path} received no response in time: ${said}`)
        again = true
      }
    },
    /** Stops one process gracefully and starts another program in its place. */
    async replace(index, server) {
      const member = members[index]
      // Acts like a load balancer: stops sending requests and waits for pending responses.
      member.up = false
      await Promise.allSettled(unanswered.get(member.service) ?? [])
      const { code } = await member.service.stop()
      if (code !== 0) throw new Error(`A process that was asked to stop exited with ${code}.`)
      member.server = server
      member.service = await launch(member.own, server)
      member.up = true
      crew.kills += 1
      tell()
      change = new Promise(resolve => {
        tell = resolve
      })
    },
    /**
     * Ends one process, or sometimes two at the same time, and restarts them after a moment.
     * @param signal `SIGKILL`, or `SIGTERM` for a graceful stop during which callers continue to send requests
     */
    async killOne(signal = 'SIGKILL') {
      const count = members.length > 1 && Math.random() < 0.2 ? 2 : 1
      const doomed = [...members].sort(() => Math.random() - 0.5).slice(0, count)
      if (signal === 'SIGKILL') for (const member of doomed) member.up = false
      await Promise.all(
        doomed.map(async member => {
          const { code } = await member.service.kill(signal)
          if (signal === 'SIGTERM' && code !== 0)
            throw new Error(`A process that was asked to stop exited with ${code}.`)
          member.up = false
          crew.kills += 1
          await pause(Math.random() * 500)
          member.service = await launch(member.own, member.server)
          crew.slowest = Math.max(crew.slowest, member.service.ms)
          member.up = true
          tell()
          change = new Promise(resolve => {
            tell = resolve
          })
        }),
      )
    },
  }
  return crew
}
