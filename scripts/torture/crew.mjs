/** The processes of one service: any of them is killed at any time and started again, and callers go on with whoever is up. */
import { lender } from './lender.mjs'

const pause = ms => new Promise(resolve => setTimeout(resolve, ms))
/** Answers that say that nothing was done for now. */
const passing = new Set([409, 503])
/** How long one question may go without an answer before that is a violation, ms: those that take long have to come between two kills. */
const PATIENCE = 180_000

/** @param roles one of each is kept running: `all`, or `api` and `worker` */
export async function createCrew(launch, env, roles) {
  const members = await Promise.all(
    roles.map(async role => ({ role, service: await launch({ ...env, ROLE: role }), up: true })),
  )
  const serving = members.filter(({ role }) => role !== 'worker')
  let tell = () => {}
  let change = new Promise(resolve => {
    tell = resolve
  })
  const crew = {
    kills: 0,
    brokenOff: 0,
    putOff: 0,
    slowest: 0,
    /** One that takes requests, as soon as there is one. */
    async anyone() {
      for (const until = performance.now() + PATIENCE; performance.now() < until; ) {
        const open = serving.filter(({ up }) => up)
        if (open.length > 0) return open[Math.floor(Math.random() * open.length)].service
        await Promise.race([change, pause(1_000)])
      }
      throw new Error('No process took requests in time.')
    },
    /**
     * Asks until there is an answer, with the same bytes each time, of whoever is up; `key`: its Idempotency-Key.
     * `again`: whether an earlier sending may have been carried out.
     */
    async ask(method, path, body, key) {
      const until = performance.now() + PATIENCE
      const bytes = body === undefined ? undefined : JSON.stringify(body)
      let said = ''
      for (let again = false; ; ) {
        const service = await crew.anyone()
        try {
          const reply = await lender(service).api(method, path, bytes, key ? { 'idempotency-key': key } : {})
          if (!passing.has(reply.status)) return { ...reply, again }
          crew.putOff += 1
          said = `${reply.status} ${reply.text}`
          await pause(200)
        } catch {
          crew.brokenOff += 1
          await pause(10)
        }
        if (performance.now() > until) throw new Error(`${method} ${path} was not answered in time: ${said}`)
        again = true
      }
    },
    /**
     * Ends one, or sometimes two at once, and starts them again after a moment.
     * @param signal `SIGKILL`, or `SIGTERM` for an orderly stop, under which callers go on sending to it
     */
    async killOne(signal = 'SIGKILL') {
      const count = members.length > 1 && Math.random() < 0.2 ? 2 : 1
      const doomed = [...members].sort(() => Math.random() - 0.5).slice(0, count)
      if (signal === 'SIGKILL') for (const member of doomed) member.up = false
      await Promise.all(
        doomed.map(async member => {
          const { code } = await member.service.kill(signal)
          if (signal === 'SIGTERM' && code !== 0) throw new Error(`A process that was told to stop ended with ${code}.`)
          member.up = false
          crew.kills += 1
          await pause(Math.random() * 500)
          member.service = await launch({ ...env, ROLE: member.role })
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
