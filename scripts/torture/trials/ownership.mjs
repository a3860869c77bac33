/**
 * Checks that only one process owns a SQLite file: a second process is rejected, and the file becomes available again
 * when its owner dies.
 */
import { lender } from '../lender.mjs'

/**
 * The time limit for rejecting a second process, in ms. The limit applies to the fastest round and is multiplied by the
 * number of fault tests running on the machine. Most of this time is spent starting the runtime. If a complete startup
 * takes longer on this machine, the limit is the duration of that startup.
 */
const REFUSED_WITHIN = 1_000

/** Checks that a live owner keeps the file, even if the owner is paused and appears dead. */
async function secondProcess({ launch, rounds, expect, atOnce }) {
  const owner = await launch()
  let refused = 0
  const took = []
  await rounds(async round => {
    const frozen = round % 3 === 2
    if (frozen) owner.kill('SIGSTOP')
    const error = await launch().then(
      async second => {
        await second.kill()
        return null
      },
      failure => failure,
    )
    if (frozen) owner.kill('SIGCONT')
    expect(error !== null, 'a second process opened a file that has an owner')
    if (error === null) return
    refused += 1
    took.push(error.ms)
    expect(error.message.includes(`process ${owner.pid}`), `the rejection does not name the owner: ${error.message}`)
    expect(error.code === 1, `refused with ${error.code}`)
  })
  const fastest = Math.round(Math.min(...took))
  expect(
    fastest < Math.max(REFUSED_WITHIN, owner.ms) * atOnce,
    `a second process was not rejected until ${fastest} ms had passed`,
  )
  const { status } = await lender(owner).api('GET', '/entities')
  expect(status === 200, `the owner returned ${status} afterward`)
  return `${refused} second processes were rejected with the owner's name, in ${fastest} to ${Math.round(Math.max(...took))} ms`
}

/**
 * Kills each owner. Three processes then start on the owner's file at the same time, and exactly one of them becomes
 * the next owner.
 */
async function deadOwner({ launch, rounds, expect }) {
  let owner = await launch()
  let taken = 0
  await rounds(async () => {
    await owner.kill()
    const heirs = await Promise.allSettled([launch(), launch(), launch()])
    const won = heirs.filter(({ status }) => status === 'fulfilled').map(({ value }) => value)
    expect(won.length === 1, `${won.length} of three processes took over a dead owner's file`)
    for (const each of won) if ((await lender(each).api('GET', '/entities')).status === 200) taken += 1
    const [next, ...rest] = won
    await Promise.all(rest.map(each => each.kill()))
    owner = next ?? (await launch())
  })
  return `${taken} dead owners, each replaced by one of three processes that started at the same time`
}

export const trials = [
  {
    name: 'second process refused',
    run: secondProcess,
    rounds: [3, 40],
    seconds: 40,
    on: 'sqlite',
  },
  { name: 'dead owner taken over', run: deadOwner, rounds: [3, 40], seconds: 40, on: 'sqlite' },
]
