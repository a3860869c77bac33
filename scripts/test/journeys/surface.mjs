/**
 * A page, or the frame in it, addressed by its visible text. Every call waits until it succeeds or a time limit is
 * reached.
 */
const WITHIN = 15_000
const BETWEEN = 100

const pause = () => new Promise(resolve => setTimeout(resolve, BETWEEN))
const words = asked => (asked instanceof RegExp ? { source: asked.source } : asked)
const plain = query => Object.fromEntries(Object.entries(query).map(([key, asked]) => [key, words(asked)]))
const told = query =>
  Object.entries(query)
    .map(([key, asked]) => `${key} ${asked}`)
    .join(', ')

/** @param driver a driver from drivers.mjs @param inFrame true for the content of the page's frame */
export function surface(driver, inFrame) {
  // A page or frame is briefly empty while it is being replaced.
  const look = query => driver.find(plain(query), inFrame).catch(error => ({ error }))

  /** Returns the visible text for use in error messages. */
  async function shown() {
    const body = await look({ css: 'body' })
    return body?.error || !body ? 'There is no screen.' : `The screen says: ${await driver.words(body)}`
  }

  async function until(query, done, complaint) {
    const late = Date.now() + WITHIN
    for (;;) {
      const seen = await look(query)
      if (!seen?.error && (await done(seen))) return seen
      if (Date.now() > late) throw new Error([`${complaint}: ${told(query)}.`, seen?.error, await shown()].join('\n'))
      await pause()
    }
  }
  const sees = query => until(query, Boolean, 'Not on the screen')

  /**
   * Returns the element, centered on the screen, once it has stopped moving. A frame changes its height shortly after a
   * screen appears.
   */
  async function still(query) {
    let last = ''
    const done = async element => {
      if (!element) return false
      const before = last
      last = await driver.reveal(element).catch(() => '')
      return last !== '' && last === before
    }
    return until(query, done, 'Not found, or still moving')
  }

  return {
    sees,
    misses: query => until(query, seen => !seen, 'Still on the screen'),
    /** Waits for the screen that has this heading. */
    at: name => sees({ role: 'heading', name }),
    press: async (name, role = 'button') => driver.click(await still({ role, name })),
    fill: async (label, text) => driver.fill(await still({ label }), text),
    async choose(...names) {
      for (const name of names) {
        const box = { role: 'checkbox', name: new RegExp(name) }
        await driver.click(await still({ ...box, checked: false }))
        await sees({ ...box, checked: true })
      }
    },
  }
}
