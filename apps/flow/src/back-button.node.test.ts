import { expect, test } from 'vitest'
import { BackButton } from './back-button.js'

/** Creates a flow at a given step, and a tab history that contains the frame's entries. */
function frameAt(step: string, { canGoBack = false, state = { n: 'nonce' } as object } = {}) {
  const target = new EventTarget()
  const entries: unknown[] = ['the page before', state]
  let at = 1
  const go = async (by: number) => {
    at += by
    target.dispatchEvent(Object.assign(new Event('popstate'), { state: entries[at] }))
    await Promise.resolve()
  }
  const history = {
    get state() {
      return entries[at]
    },
    get length() {
      return entries.length
    },
    pushState(next: unknown) {
      at += 1
      entries.splice(at, Infinity, next)
    },
    back: () => queueMicrotask(() => void go(-1)),
  }
  const did: string[] = []
  const app = {
    state: { phase: 'flow', view: { step } },
    canGoBack,
    goBack: () => did.push('back'),
    askToLeave: async () => void did.push('ask'),
    exit: () => void did.push('exit'),
    addController: () => undefined,
  }
  const window = { history, addEventListener: target.addEventListener.bind(target), setTimeout: () => 0 }
  const back = new BackButton(window as unknown as Window, app as never)
  return { app, back, did, entries, go, at: () => at }
}

test('adds no entry on the first screen, and one entry with the nonce after it', () => {
  const { app, back, entries } = frameAt('consent')
  back.hostUpdated()
  expect(entries).toHaveLength(2)
  for (const step of ['phone', 'code', 'details']) {
    app.state.view.step = step
    back.hostUpdated()
  }
  expect(entries.slice(1)).toEqual([{ n: 'nonce' }, { n: 'nonce', held: true }])
})

test('goes one step back, and can do so again', async () => {
  const { back, did, go, at } = frameAt('review', { canGoBack: true })
  back.hostUpdated()
  await go(-1)
  await go(-1)
  expect(did).toEqual(['back', 'back'])
  expect(at()).toBe(2)
})

test('asks before leaving a step that does not allow going back, and stays there', async () => {
  const { back, did, go, at } = frameAt('selection')
  back.hostUpdated()
  await go(-1)
  expect(did).toEqual(['ask'])
  expect(at()).toBe(2)
})

test.each(['done', 'blocked'])('closes a flow that is %s', async step => {
  const { app, back, did, go, at } = frameAt('review')
  back.hostUpdated()
  app.state.view.step = step
  await go(-1)
  await expect.poll(() => did).toEqual(['exit'])
  expect(at()).toBe(1)
})

test('a reload keeps the entry, and going forward to it changes nothing', async () => {
  const { back, did, entries, go } = frameAt('review', { canGoBack: true, state: { n: 'nonce', held: true } })
  back.hostUpdated()
  expect(entries).toHaveLength(2)
  await go(0)
  expect(did).toEqual([])
})

test('closing removes the entry without going one step back', async () => {
  const { app, back, did, at } = frameAt('review', { canGoBack: true })
  back.hostUpdated()
  app.exit()
  await expect.poll(() => did).toEqual(['exit'])
  expect(at()).toBe(1)
  app.exit()
  await expect.poll(() => did).toEqual(['exit', 'exit'])
  expect(at()).toBe(1)
})

test('closing keeps the entry if the page has added its own', async () => {
  const { app, back, did, entries, at } = frameAt('review')
  back.hostUpdated()
  entries.push('an entry of the page')
  app.exit()
  await expect.poll(() => did).toEqual(['exit'])
  expect(at()).toBe(2)
})
