import { expect } from '@open-wc/testing'
import { executeServerCommand } from '@web/test-runner-commands'
import { FRAME, newHandle, nextEvent, tokenOf } from './double.js'

/** The number of objects in memory after garbage collection. */
interface Held {
  /** Elements from this package that are still alive. */
  elements: number
  listeners: number
  nodes: number
  /** Documents in the page's process. */
  documents: number
  /** Heap size, in bytes. */
  heap: number
}

const held = (): Promise<Held> => executeServerCommand('measure-heap', { tags })
const tags = ['connect-element', 'opal-balance-transfer-element'] as const
const OPENINGS = 100

/** Adds an element to the page, opens it, waits until its frame is ready, and removes it. */
async function visit(tag: (typeof tags)[number], display: 'modal' | 'inline', before?: (element: HTMLElement) => void) {
  const element = document.createElement(tag)
  Object.assign(element, { frameOrigin: FRAME, token: tokenOf(newHandle('eager')), display })
  before?.(element)
  const ready = nextEvent(element, 'element-ready')
  document.body.append(element)
  void element.open()
  await ready
  element.remove()
  await element.updateComplete
}

/** Returns the increase in memory use after a number of visits. Warms up the browser with a few visits first. */
async function left(rounds: number, before?: (element: HTMLElement) => void): Promise<Held> {
  const some = async (count: number): Promise<void> => {
    for (let round = 0; round < count; round++)
      for (const tag of tags) await visit(tag, round % 2 ? 'inline' : 'modal', before)
  }
  await some(10)
  const start = await held()
  await some(rounds)
  const end = await held()
  const keys = Object.keys(end) as (keyof Held)[]
  return Object.fromEntries(keys.map(key => [key, end[key] - start[key]])) as unknown as Held
}

describe('a page that stays open', () => {
  // One permanent frame keeps the browser from starting a new process for each of the other frames.
  before(() =>
    document.body.append(Object.assign(document.createElement('iframe'), { src: `${FRAME}/e/${newHandle('mute')}` })),
  )

  it('retains nothing after a hundred mounts and removals of each element', async function () {
    this.timeout(120_000)
    const { elements, heap, ...counted } = await left(OPENINGS)
    expect(elements).to.equal(0)
    // No count may grow with each visit. A small increase is allowed, because the counts cover an entire process, which
    // may briefly contain another page.
    for (const [what, count] of Object.entries(counted)) expect(count, what).to.be.lessThan(OPENINGS / 10)
    expect(heap / OPENINGS).to.be.lessThan(1_000)
  })

  it('shows a leak if something still references a removed element', async function () {
    this.timeout(60_000)
    const gone = new AbortController()
    const { heap, ...counted } = await left(5, element =>
      window.addEventListener('resize', () => element.id, { signal: gone.signal }),
    )
    gone.abort()
    expect(counted.elements).to.equal(10)
    expect(counted.listeners).to.be.at.least(10)
    expect(counted.nodes).to.be.at.least(10)
  })
})
