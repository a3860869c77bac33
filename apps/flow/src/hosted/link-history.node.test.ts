import { describe, expect, test } from 'vitest'
import { createLinkHistory, type LinkState, readHostedPage, redirectUrl } from './link-history.js'

const secret = 'a1B'.repeat(11)

/** Creates the parts of a window that the link code uses. */
function windowAt(hash: string, state: LinkState | null = null) {
  const target = new EventTarget()
  const replaced: { state: unknown; url: string }[] = []
  const location = { hash, pathname: '/h/handle' }
  const entries: unknown[] = [state]
  let at = 0
  const go = (by: number) =>
    queueMicrotask(() => {
      at += by
      target.dispatchEvent(Object.assign(new Event('popstate'), { state: entries[at] }))
    })
  const history = {
    state,
    replaceState(next: unknown, _title: string, url: string) {
      replaced.push({ state: next, url })
      entries[at] = next
      location.hash = ''
    },
    pushState(next: unknown) {
      at += 1
      entries.splice(at, Infinity, next)
    },
    back: () => go(-1),
  }
  const window = {
    location,
    history,
    addEventListener: target.addEventListener.bind(target),
  }
  const keeper = createLinkHistory(window as unknown as Window)
  return { keeper, replaced, target, entries, location, go, at: () => at }
}

describe('the link', () => {
  test('removes its secret from the URL immediately and keeps it in the history entry', () => {
    const { keeper, replaced } = windowAt(`#${secret}`)
    expect(replaced).toEqual([{ state: { secret }, url: '/h/handle' }])
    expect(keeper.link()).toEqual({ secret })
  })

  test('survives a reload, and so does the bearer that it was exchanged for', () => {
    expect(windowAt('', { secret, exchange: 'e' }).keeper.link()).toEqual({ secret, exchange: 'e' })
    expect(windowAt('', { bearer: 'b' }).keeper.link()).toEqual({ bearer: 'b' })
  })

  test.each(['', '#', '#short', `#${secret}x`, `#${secret.slice(1)}-`])(
    'is unusable with the hash %s, which is cleared',
    hash => {
      const { keeper, replaced } = windowAt(hash)
      expect(keeper.link()).toEqual({})
      expect(replaced.map(({ url }) => url)).toEqual(['/h/handle'])
    },
  )

  test('changes only the URL when it is opened again in the same tab', () => {
    const { keeper, replaced, target } = windowAt(`#${secret}`)
    keeper.keep({ bearer: 'b' })
    target.dispatchEvent(new Event('hashchange'))
    expect(keeper.link()).toEqual({ bearer: 'b' })
    expect(replaced.at(-1)).toEqual({ state: { bearer: 'b' }, url: '/h/handle' })
  })
})

describe('the way back', () => {
  const settled = () => new Promise(resolve => setTimeout(resolve))
  const held = (link: LinkState) => {
    const page = windowAt('', link)
    let backs = 0
    page.keeper.onBack = () => {
      backs += 1
    }
    return { ...page, backs: () => backs }
  }

  test("is the browser's own until it is held, and is then reported every time it is used", async () => {
    const { keeper, go, at, backs, entries } = held({ bearer: 'b' })
    expect(entries).toEqual([{ bearer: 'b' }])
    keeper.hold()
    keeper.hold()
    expect(entries).toEqual([{ bearer: 'b' }, { bearer: 'b', held: true }])
    for (const times of [1, 2]) {
      go(-1)
      await settled()
      expect([backs(), at(), entries]).toEqual([times, 1, [{ bearer: 'b' }, { bearer: 'b', held: true }]])
    }
  })

  test('is still held after a reload and after the link changes, without another entry', () => {
    const { keeper, entries } = held({ bearer: 'b', held: true } as LinkState)
    expect(keeper.link()).toEqual({ bearer: 'b' })
    keeper.hold()
    keeper.keep({ bearer: 'c' })
    expect(entries).toEqual([{ bearer: 'c', held: true }])
  })

  test('is not triggered when the link is opened again in the same tab', async () => {
    const { keeper, target, location, backs } = held({ bearer: 'b' })
    keeper.hold()
    location.hash = `#${secret}`
    target.dispatchEvent(Object.assign(new Event('popstate'), { state: null }))
    target.dispatchEvent(new Event('hashchange'))
    expect(backs()).toBe(0)
    expect(location.hash).toBe('')
  })

  test('returns to the original entry when released, and leaves nothing to go forward to', async () => {
    const { keeper, at, backs, entries } = held({ bearer: 'b' })
    await keeper.release()
    expect(at()).toBe(0)
    keeper.hold()
    await keeper.release()
    expect([at(), backs(), entries]).toEqual([0, 0, [{ bearer: 'b' }, null]])
  })
})

test('reads the data that the service wrote into the page, and reports an unknown link for a page without data', () => {
  const page = (content: string | null) =>
    ({ querySelector: () => (content === null ? null : { getAttribute: () => content }) }) as unknown as Document
  expect(readHostedPage(page('{"link":"open","brand":"N"}'))).toEqual({ link: 'open', brand: 'N' })
  expect(readHostedPage(page(''))).toEqual({ link: 'unknown' })
  expect(readHostedPage(page(null))).toEqual({ link: 'unknown' })
})

describe('the end', () => {
  const ids = { session_id: 'osess_1', entity_id: 'ent_1', step: 'done', bearer: 'b' }
  test("keeps the customer's URL, and adds the outcome and the ids", () => {
    expect(redirectUrl('https://l.example/back?a=1#x', 'completed', ids)).toBe(
      'https://l.example/back?a=1&status=success&session_id=osess_1&entity_id=ent_1#x',
    )
  })
  test('adds no ids for a session that was never shown', () => {
    expect(redirectUrl('https://l.example/', 'expired', null)).toBe('https://l.example/?status=expired')
  })
  test('overrides a status that is already in the URL, so that it cannot be forged', () => {
    expect(redirectUrl('https://l.example/?status=success', 'user', null)).toBe('https://l.example/?status=exit')
    expect(redirectUrl('https://l.example/?session_id=fake&a=1', 'expired', null)).toBe(
      'https://l.example/?a=1&status=expired',
    )
  })
})
