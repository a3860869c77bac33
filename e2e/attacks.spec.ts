// biome-ignore-all lint/style/noExcessiveLinesPerFile: it is a single list.
/**
 * Attacks by a hostile page, frame or message. Each attack runs in a browser against the real kit, frame and service. A
 * comment on each test names the check that the test depends on. Other files test the following attacks:
 *
 * - a token used on a second page, and a page that is not on the list of allowed origins: `tokens.spec.ts`
 * - a customer's policy without any `unsafe-` keyword: `host.spec.ts`
 * - every malformed message, individually: the channel's component tests, and the readers' own tests
 */
import type { Frame, Page } from '@playwright/test'
import { Flow, headings } from './support/flow.js'
import { HostPage, startHost } from './support/host.js'
import { phones } from './support/people.js'
import { servePage } from './support/serve-page.js'
import { expect, test, usualLoan } from './support/test.js'

const transfer = 'opal-balance-transfer-element'
/** The element's own frame, as opposed to other frames on the page. */
const own = 'iframe[part=frame]'

const nonceOf = async (page: Page) => (await page.locator(own).getAttribute('src'))!.split('#n=')[1]!
const inside = async (page: Page): Promise<Frame> => (await (await page.locator(own).elementHandle())!.contentFrame())!

/**
 * Returns the messages that an attacker sends to the page. The messages imitate the frame's, and one reports success.
 */
const forged = (n: unknown) => [
  { causeway: 'hello', v: 1, n },
  { causeway: 'hello', v: 2, n },
  { type: 'auth.request', reason: 'rejected' },
  { type: 'success', session_id: 'osess_1', entity_id: 'ent_1', accounts: ['acc_1'], result: null },
  { type: 'exit.request', reason: 'completed' },
]

/**
 * Sends the forged messages from a document to the page, and waits until the page's own listeners have received them.
 */
async function forge(page: Page, from: Page | Frame, to: 'parent' | 'opened', n: unknown): Promise<void> {
  const messages = forged(n)
  await page.evaluate(() => {
    const counting = window as unknown as { got?: number }
    // This listener is added after the element's, so it counts only messages that the element has already received.
    if (counting.got === undefined) window.addEventListener('message', () => (counting.got! += 1))
    counting.got = 0
  })
  await from.evaluate(
    ([name, list]) => {
      const target = (window as unknown as Record<string, Window>)[name]!
      for (const message of list) target.postMessage(message, '*')
    },
    [to, messages] as const,
  )
  await expect.poll(() => page.evaluate(() => (window as unknown as { got: number }).got)).toBe(messages.length)
}

/**
 * Expects that the page received no forged event, did not provide a second token, and kept its channel to the flow.
 * Accepting a forged hello would close the channel.
 */
async function expectUndisturbed(page: Page, hostPage: HostPage, asked = ['initial']): Promise<void> {
  await new Flow(page, own).press('Close')
  expect((await hostPage.hears('element-exit'))['reason']).toBe('user')
  expect(hostPage.asked).toEqual(asked)
  for (const type of ['element-success', 'element-error']) expect(hostPage.types()).not.toContain(type)
}

test.describe('forged events', () => {
  // Fails without the `event.source` check in the kit's channel. With another origin, the test fails only if the
  // `event.origin` check is also missing.
  for (const where of ['the frame’s own origin', 'another origin'])
    test(`from a sibling frame on ${where} that has the nonce`, async ({ service, api, hostPage, page }) => {
      const [host, elsewhere] = [await startHost(service, { lax: true }), await servePage('<p>Sibling')]
      const { token } = await api.transferToken(await api.person(phones.allPayable), usualLoan)
      await hostPage.open(host, { tag: transfer, token: () => token })
      await new Flow(page, own).at(headings.findAccounts)
      const address = where === 'another origin' ? elsewhere.origin : `${service.frameOrigin}/sibling`
      // This page can't frame any of the service's own documents, so the test adds a document that the page can frame.
      await page.route(`${service.frameOrigin}/sibling`, route =>
        route.fulfill({ contentType: 'text/html', body: '<p>' }),
      )
      await page.evaluate(async src => {
        const sibling = document.createElement('iframe')
        sibling.src = src
        document.body.append(sibling)
        await new Promise(resolve => sibling.addEventListener('load', resolve))
      }, address)
      const sibling = () => page.frames().find(frame => frame.url().startsWith(address))
      await expect.poll(() => sibling()?.url()).toContain(address)
      await forge(page, sibling()!, 'parent', await nonceOf(page))
      await expectUndisturbed(page, hostPage)
      await Promise.all([host.stop(), elsewhere.stop()])
    })

  // Fails without the `event.source` check. The opener has the frame's origin and the nonce.
  test("from the page's opener", async ({ service, api, host, page, context }) => {
    const opener = await context.newPage()
    await opener.goto(`${service.frameOrigin}/v1/kit.js`)
    const [popup] = await Promise.all([
      context.waitForEvent('page'),
      opener.evaluate(() => {
        const name = window as unknown as { opened: Window | null }
        name.opened = window.open('about:blank')
      }),
    ])
    await page.close()
    const { token } = await api.transferToken(await api.person(phones.allPayable), usualLoan)
    const opened = new HostPage(popup)
    await opened.open(host, { tag: transfer, token: () => token })
    await new Flow(popup).at(headings.findAccounts)
    await forge(popup, opener, 'opened', await nonceOf(popup))
    await expectUndisturbed(popup, opened)
  })

  // Fails if the kit's channel does not check the nonce, because the window and the origin are the frame's own.
  test("from the frame's own window with no nonce or with a made-up one", async ({ begin, flow, hostPage, page }) => {
    await begin(phones.allPayable)
    await flow.at(headings.findAccounts)
    for (const n of [undefined, '', '0'.repeat(32)]) await forge(page, await inside(page), 'parent', n)
    await expectUndisturbed(page, hostPage)
  })

  // Fails if a nonce remains valid after its flow has closed.
  test("from the frame's own window with the nonce of a previous flow", async ({ begin, flow, hostPage, page }) => {
    await begin(phones.allPayable)
    await flow.at(headings.findAccounts)
    const stale = await nonceOf(page)
    await flow.press('Close')
    await expect(page.locator(own)).toHaveCount(0)
    hostPage.heard.length = 0
    await hostPage.reopen(transfer)
    await flow.at(headings.findAccounts)
    expect(await nonceOf(page)).not.toBe(stale)
    await forge(page, await inside(page), 'parent', stale)
    await expectUndisturbed(page, hostPage, ['initial', 'initial'])
  })

  // Fails if any of the three checks in the frame's `accept` is missing, because the frame accepts only the first reply
  // that passes them.
  test('sent to the frame from a sibling, without the nonce, or with another nonce', async ({ service, api, page }) => {
    const host = await servePage('<title>Host</title><iframe id="sibling" src="/sibling"></iframe>')
    const { token } = await api.transferToken(await api.person(phones.allPayable), usualLoan)
    await page.goto(host.origin)
    const n = 'ab'.repeat(16)
    const answered = await page.evaluate(
      async ([origin, handle, nonce]) => {
        const frame = document.createElement('iframe')
        frame.referrerPolicy = 'strict-origin'
        frame.src = `${origin}/e/${handle}#n=${nonce}`
        const hello = new Promise(resolve => window.addEventListener('message', resolve, { once: true }))
        document.body.append(frame)
        await hello
        const heard: string[] = []
        const answer = (who: string, from: Window, more: object) =>
          new Promise<void>(resolve => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => {
              heard.push(who)
              resolve()
            }
            const init = { causeway: 'init', v: 1, mode: 'balance_transfer', display: 'inline', theme: {}, ...more }
            const say = (from as unknown as { eval: typeof eval }).eval('(to, ...given) => to.postMessage(...given)')
            say(frame.contentWindow, init, origin, [port2])
          })
        const sibling = document.querySelector<HTMLIFrameElement>('#sibling')!.contentWindow!
        void answer('sibling', sibling, { n: nonce })
        void answer('without', window, {})
        void answer('another', window, { n: '0'.repeat(32) })
        await answer('page', window, { n: nonce })
        return heard
      },
      [service.frameOrigin, token.slice('pk_elem_'.length, 'pk_elem_'.length + 16), n] as const,
    )
    expect(answered).toEqual(['page'])
    await host.stop()
  })
})

test.describe('a frame that navigates elsewhere in the middle of a flow', () => {
  const leave = (frame: Frame, address: string) =>
    frame.evaluate(href => {
      location.href = href
    }, address)

  // Fails without the `event.origin` check in the kit's channel. The window is the frame's, and the nonce is correct.
  test('receives no messages and no token', async ({ service, api, hostPage, page }) => {
    const [host, elsewhere] = [await startHost(service, { lax: true }), await servePage('<p>Type your SSN here')]
    const { token, session } = await api.transferToken(await api.person(phones.allPayable), usualLoan)
    await hostPage.open(host, {
      tag: transfer,
      token: reason => (reason === 'initial' ? token : api.resumeToken(session)),
    })
    await new Flow(page).at(headings.findAccounts)
    const nonce = await nonceOf(page)
    await leave(await inside(page), elsewhere.origin)
    await expect.poll(async () => (await inside(page)).url()).toContain(elsewhere.origin)
    const frame = await inside(page)
    await frame.waitForLoadState()
    const before = hostPage.types()
    await forge(page, frame, 'parent', nonce)
    // An accepted hello would show the loading state again and request a token.
    await expect(page.locator('[part=loading]')).toHaveCount(0)
    expect(hostPage.types()).toEqual(before)
    expect(hostPage.asked).toEqual(['initial'])
    await Promise.all([host.stop(), elsewhere.stop()])
  })

  // Fails if the customer's policy allows any origin other than the frame's. The documentation lists only the frame's
  // origin.
  test("is blocked by the page's own policy", async ({ begin, flow, hostPage, page }) => {
    const elsewhere = await servePage('<p>Type your SSN here')
    await begin(phones.allPayable)
    await flow.at(headings.findAccounts)
    await leave(await inside(page), elsewhere.origin)
    await expect.poll(() => hostPage.refused.join()).toContain('frame-src')
    await expect(page.getByText('Type your SSN here')).toHaveCount(0)
    await elsewhere.stop()
  })
})

// Fails if the service accepts a used token with an exchange id other than the original. An attacker who reads a token
// from the page must not be able to use it.
test("an intercepted token opens nothing, even from the frame's own origin", async ({
  service,
  api,
  host,
  hostPage,
  flow,
  page,
}) => {
  const { token } = await api.transferToken(await api.person(phones.allPayable), usualLoan)
  await hostPage.open(host, { tag: transfer, token: () => token })
  await flow.at(headings.findAccounts)
  const request = { token, exchange_id: 'f'.repeat(32), origin: host.origin, mode: null }
  const replay = () =>
    inside(page).then(frame =>
      frame.evaluate(async body => {
        const headers = { 'content-type': 'application/json' }
        const response = await fetch('/s/redeem', { method: 'POST', headers, body: JSON.stringify(body) })
        return [response.status, ((await response.json()) as { error?: { sub_type: string } }).error?.sub_type]
      }, request),
    )
  expect(await replay()).toEqual([400, 'EXPIRED_TOKEN'])
  const other = await fetch(`${service.frameOrigin}/s/redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: host.origin },
    body: JSON.stringify(request),
  })
  expect(other.status).toBe(403)
})

// Fails if only the parent's origin is checked. `frame-ancestors` checks every ancestor.
test('a listed page inside an unlisted page shows nothing of the flow', async ({ service, api, hostPage, page }) => {
  const listed = await startHost(service, { lax: true })
  const foreign = await servePage(`<title>Foreign</title><iframe src="${listed.origin}"></iframe>`)
  const { token } = await api.transferToken(await api.person(phones.allPayable), usualLoan, {
    allowed_origins: [listed.origin],
  })
  await hostPage.listen(() => token)
  await page.goto(foreign.origin)
  const inner = page.frames().find(frame => frame.url().startsWith(listed.origin))!
  await hostPage.again({ tag: transfer, timeout: 2_000 }, inner)
  expect((await hostPage.hears('element-error'))['sub_type']).toBe('FRAME_UNREACHABLE')
  for (const frame of page.frames().slice(2)) expect(await frame.locator('causeway-flow').count()).toBe(0)
  await Promise.all([listed.stop(), foreign.stop()])
})

// Fails if the channel belongs to the page rather than to the element. One element could then receive events from the
// other's flow, or end that flow.
test('two elements that are open at once each receive only the events of their own flow', async ({
  api,
  host,
  page,
}) => {
  const { token } = await api.transferToken(await api.person(phones.allPayable), usualLoan)
  const tokens: Record<string, string> = {
    [transfer]: token,
    'connect-element': await api.connectToken(await api.person(phones.mixed)),
  }
  const heard: string[] = []
  await page.exposeFunction('tokenOf', (tag: string) => tokens[tag])
  await page.exposeFunction('hear', (line: string) => heard.push(line))
  await page.goto(host.origin)
  await page.evaluate(tags => {
    const { tokenOf, hear } = window as unknown as Record<'tokenOf' | 'hear', (text: string) => Promise<string>>
    for (const tag of tags) {
      const element = document.querySelector(tag) as HTMLElement & { open: () => Promise<{ reason: string }> }
      for (const type of ['element-event', 'element-exit'])
        element.addEventListener(type, event => {
          const { name = type, data } = event as unknown as { name?: string; data?: { step?: string } }
          void hear!(`${tag} ${name} ${data?.step ?? ''}`)
        })
      Object.assign(element, { display: 'inline', getToken: () => tokenOf!(tag) })
      void element.open().then(({ reason }) => hear!(`${tag} outcome ${reason}`))
    }
  }, Object.keys(tokens))
  const [first, second] = [new Flow(page, `${transfer} iframe`), new Flow(page, 'connect-element iframe')]
  await first.at(headings.findAccounts)
  await second.at(headings.shareAccounts)
  await first.agree()
  await first.at(headings.code)
  await expect(second.heading(headings.shareAccounts)).toBeVisible()
  await expect.poll(() => heard).toContain(`${transfer} identity_verification.step.completed consent`)
  expect(heard.filter(line => line.startsWith('connect-element')).join()).not.toContain('completed')
  await second.press('Close')
  await expect.poll(() => heard).toContain('connect-element outcome user')
  expect(heard).not.toContain(`${transfer} element-exit `)
  await first.enterCode('123456')
  await first.at(headings.which)
})

test.describe('a message over the limit', () => {
  /** Captures the port that carries the messages, as code on either side could. */
  const tapPorts = (page: Page) =>
    page.addInitScript(() => {
      const { postMessage } = MessagePort.prototype
      MessagePort.prototype.postMessage = function (this: MessagePort, ...given: unknown[]) {
        Object.assign(window, { line: this })
        return Reflect.apply(postMessage, this, given)
      } as typeof postMessage
    })
  const send = (where: Page | Frame, messages: object[]) =>
    where.evaluate(list => {
      for (const message of list) (window as unknown as { line: MessagePort }).line.postMessage(message)
    }, messages)

  // Fails if the size limit or the rate limit is missing from the kit's channel and reader.
  test('does not reach the page, whether it is too large or sent too often', async ({
    begin,
    flow,
    hostPage,
    page,
  }) => {
    await tapPorts(page)
    await begin(phones.allPayable)
    await flow.at(headings.findAccounts)
    const line = (type: string, text = '') => ({
      type: 'event',
      event: { type, timestamp: '2026-01-01T00:00:00.000Z', data: { text } },
    })
    const names = () => hostPage.heard.map(({ name }) => String(name))
    const frame = await inside(page)
    await send(frame, [line('test.large.sent', 'x'.repeat(20_000)), line('test.small.sent', 'x'.repeat(10_000))])
    await expect.poll(names).toContain('test.small.sent')
    expect(names()).not.toContain('test.large.sent')
    const begun = Date.now()
    await send(
      frame,
      Array.from({ length: 1_000 }, (_, index) => line(`test.flood.${index}`)),
    )
    // After a second, the channel accepts messages from the frame again. The dropped messages are not delivered later.
    await expect
      .poll(async () => {
        await send(frame, [line('test.over')])
        return names()
      })
      .toContain('test.over')
    // The channel passes fifty messages per second. On a busy machine, the flood can take several seconds to arrive.
    const seconds = Math.ceil((Date.now() - begun) / 1_000)
    expect(names().filter(name => name.startsWith('test.flood.')).length).toBeLessThanOrEqual(50 * (seconds + 1))
  })

  // Fails if the size limit is missing from the frame's reader.
  test('does not reach the frame', async ({ begin, flow, page }) => {
    await tapPorts(page)
    await begin(phones.allPayable, undefined, { appearance: 'light' })
    await flow.at(headings.findAccounts)
    await send(page, [
      { type: 'set', appearance: 'dark', padding: 'x'.repeat(20_000) },
      { type: 'set', locale: 'es' },
    ])
    const root = (await inside(page)).locator('html')
    await expect(root).toHaveAttribute('lang', 'es-US')
    await expect(root).toHaveAttribute('data-scheme', 'light')
  })
})

test.describe('a javascript: URL', () => {
  // Fails if the kit does not validate the frame origin.
  test('is rejected as a frame origin', async ({ host, page }) => {
    await page.goto(host.origin)
    const failed = await page.evaluate(async tag => {
      const element = document.querySelector(tag) as HTMLElement & { open: () => Promise<unknown> }
      element.setAttribute('frame-origin', 'javascript:alert(document.domain)')
      return element.open().then(
        () => 'opened',
        (error: Error) => error.name,
      )
    }, transfer)
    expect(failed).toBe('FRAME_ORIGIN_REFUSED')
    await expect(page.locator(own)).toHaveCount(0)
  })

  // Fails if the service stores a dangerous URL, because a link or an image in the frame would then use it.
  test('is rejected by the service in every field', async ({ api }) => {
    const entity_id = await api.person(phones.allPayable)
    for (const url of ['javascript:alert(1)', 'JavaScript:alert(1)//https://a.example', 'data:text/html,<script>']) {
      for (const name of ['logo', 'support_url', 'privacy_url'])
        await expect(api.call('PATCH', '/team', { brand: { [name]: url } })).rejects.toThrow(': 400')
      await expect(api.call('PATCH', '/team', { allowed_origins: [url] })).rejects.toThrow(': 400')
      for (const more of [{ team_logo: url }, { redirect_url: url }, { allowed_origins: [url] }])
        await expect(api.connectToken(entity_id, more)).rejects.toThrow(': 400')
    }
  })
})

// Fails if the service stores an origin as sent rather than as parsed by `URL`, because the list of origins is written
// into a response header.
test('an allowed origin that contains more than an origin is refused, and appears in no header', async ({
  api,
  service,
}) => {
  const entity_id = await api.person(phones.allPayable)
  const tails = [
    '\r\nX-Evil: 1',
    '\nX-Evil: 1',
    '\u2028',
    ' *',
    '; script-src *',
    ',https://evil.example',
    '/',
    '#',
    '?',
  ]
  const others = [
    'https://*.example',
    'https://a.example:*',
    'https://"evil',
    '*',
    'null',
    'https:',
    'https://a@b.example',
  ]
  for (const origin of [...tails.map(tail => `https://a.example${tail}`), ...others]) {
    await expect(api.connectToken(entity_id, { allowed_origins: [origin] }), origin).rejects.toThrow(': 400')
    await expect(api.call('PATCH', '/team', { allowed_origins: [origin] }), origin).rejects.toThrow(': 400')
  }
  const token = await api.connectToken(entity_id, { allowed_origins: ['https://a.example'] })
  const shell = await fetch(`${service.frameOrigin}/e/${token.slice('pk_elem_'.length, 'pk_elem_'.length + 16)}`)
  expect(shell.headers.get('content-security-policy')).toMatch(/; frame-ancestors https:\/\/a\.example$/)
  for (const path of ['%0d%0aX-Evil:%201', 'x%0d%0a%0d%0a<script>'])
    expect((await fetch(`${service.frameOrigin}/e/${path}`)).headers.get('x-evil')).toBeNull()
})

test.describe('a frame that is loaded before the flow opens', () => {
  type Kit = HTMLElement & { prepare: () => Promise<void>; constructor: { preload: (origin?: string) => void } }
  const prepare = (page: Page) =>
    page.evaluate(async tag => {
      const element = document.querySelector(tag) as Kit
      return element.prepare().then(
        () => 'prepared',
        (error: Error) => error.name,
      )
    }, transfer)

  // Fails if the preload page runs the app, or if the flow opens in the preloaded frame.
  test('holds no data, and sends and receives no messages', async ({ service, host, hostPage, page, api }) => {
    const { token } = await api.transferToken(await api.person(phones.allPayable), usualLoan)
    await hostPage.listen(() => token)
    await page.goto(host.origin)
    const heard = await page.evaluate(async tag => {
      const all: unknown[] = []
      window.addEventListener('message', ({ data }) => all.push(data))
      const { preload } = (document.querySelector(tag) as Kit).constructor
      preload()
      const frame = document.querySelector<HTMLIFrameElement>('iframe[src$="/preload"]')!
      await new Promise(resolve => frame.addEventListener('load', resolve))
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => all.push(data)
      const n = '0'.repeat(32)
      const init = { causeway: 'init', v: 1, n, mode: 'balance_transfer', display: 'modal', theme: {}, hidden: false }
      frame.contentWindow!.postMessage(init, '*', [port2])
      await new Promise(resolve => requestIdleCallback(resolve))
      return all
    }, transfer)
    expect(heard).toEqual([])
    const preloaded = page.frames().find(frame => frame.url().endsWith('/preload'))!
    expect(await preloaded.evaluate(() => document.querySelectorAll('causeway-flow').length)).toBe(0)
    await hostPage.again({ tag: transfer })
    await new Flow(page, own).at(headings.findAccounts)
    expect(await page.locator(own).getAttribute('src')).toContain(`${service.frameOrigin}/e/`)
    expect(hostPage.refused).toEqual([])
  })

  // Fails if every page that may frame the preload page may also frame the flow.
  test('opens no flow on a page that is not listed', async ({ service, api, page }) => {
    const [listed, other] = [await startHost(service, { lax: true }), await startHost(service, { lax: true })]
    const allowed_origins = [listed.origin]
    const { token } = await api.transferToken(await api.person(phones.allPayable), usualLoan, { allowed_origins })
    const arrive = async (origin: string) => {
      await page.goto(origin)
      await page.evaluate(
        ([tag, given]) => {
          const element = document.querySelector(tag) as Kit
          element.constructor.preload()
          Object.assign(element, { token: given, timeout: 2_000 })
        },
        [transfer, token] as const,
      )
      return prepare(page)
    }
    expect(await arrive(other.origin)).toBe('FRAME_UNREACHABLE')
    // The other page did not use up the token.
    expect(await arrive(listed.origin)).toBe('prepared')
    await Promise.all([listed.stop(), other.stop()])
  })

  // Fails if the flow accepts a step before the flow is shown. The flow must check this itself, because the page can
  // undo the kit's protection of the hidden frame.
  test('ignores a press before open(), even if the page reveals the frame, and starts with open()', async ({
    api,
    host,
    page,
  }) => {
    const { token } = await api.transferToken(await api.person(phones.allPayable), usualLoan)
    const names: string[] = []
    await page.exposeFunction('hear', (name: string) => names.push(name))
    await page.goto(host.origin)
    await page.evaluate(
      ([tag, given]) => {
        const element = document.querySelector(tag)!
        const { hear } = window as unknown as { hear: (name: string) => Promise<void> }
        element.addEventListener('element-event', event => void hear((event as Event & { name: string }).name))
        Object.assign(element, { token: given, display: 'inline' })
      },
      [transfer, token] as const,
    )
    expect(await prepare(page)).toBe('prepared')
    await expect(page.locator(own)).toBeHidden()
    await page.evaluate(tag => {
      const box = document.querySelector(tag)!.shadowRoot!.querySelector<HTMLElement>('[part=container]')!
      box.inert = false
      box.style.cssText = 'visibility: visible; height: 900px'
      box.querySelector('iframe')!.style.cssText = 'visibility: visible; height: 900px'
    }, transfer)
    const flow = new Flow(page, own)
    await flow.press('Agree and continue')
    expect(names).toEqual([])
    await page.evaluate(tag => {
      void (document.querySelector(tag) as HTMLElement & { open: () => Promise<unknown> }).open()
    }, transfer)
    await expect.poll(() => names).toContain('opal.session.started')
    await flow.at(headings.findAccounts)
    await flow.press('Agree and continue')
    await flow.at(headings.code)
  })

  // Fails if preparing a session does not use up its token.
  test('uses up its token, which then opens nothing else', async ({ api, host, service, page }) => {
    const { token } = await api.transferToken(await api.person(phones.allPayable), usualLoan)
    await page.goto(host.origin)
    await page.evaluate(([tag, given]) => Object.assign(document.querySelector(tag)!, { token: given }), [
      transfer,
      token,
    ] as const)
    expect(await prepare(page)).toBe('prepared')
    const request = { token, exchange_id: 'f'.repeat(32), origin: host.origin, mode: null }
    const response = await fetch(`${service.frameOrigin}/s/redeem`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })
    expect(((await response.json()) as { error: { sub_type: string } }).error.sub_type).toBe('EXPIRED_TOKEN')
  })
})
