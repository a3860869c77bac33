/** An app that uses the interface of Opal for React Native, with only its import changed. */
import { bundleFor } from '../frameworks/react/bundle.mjs'
import { record } from './support/calls.js'
import { Flow } from './support/flow.js'
import { phones } from './support/people.js'
import { servePage } from './support/serve-page.js'
import { expect, test } from './support/test.js'

test('an app of Opal for React Native receives the events of the hosted page that its webview shows', async ({
  service,
  api,
  page,
  context,
}) => {
  const host = await servePage('<!doctype html><html lang="en"><title>The app</title><div id="app"></div>')
  const code = await bundleFor(19, 'native')
  await page.route(`${host.origin}/native.js`, route => route.fulfill({ contentType: 'text/javascript', body: code }))
  const more = { redirect_url: 'http://localhost/back' }
  const entity = await api.person(phones.allPayable)
  const token = await api.connectToken(entity, more)
  const calls = await record(page)
  await page.goto(host.origin)
  await page.evaluate(
    async ([given, frameOrigin]) => {
      const { record } = window as unknown as { record: (...call: unknown[]) => void }
      const { start, webView } = await import(`${location.origin}/native.js`)
      const names = ['onOpen', 'onEvent', 'onError', 'onExit']
      const config = Object.fromEntries(names.map(name => [name, (argument: unknown) => record(name, argument)]))
      Object.assign(window, { webView })
      const app = { provider: { frameOrigin }, config: { ...config, env: 'local' } }
      start(document.querySelector('#app'), app).opal().open({ token: given })
    },
    [token, service.frameOrigin] as const,
  )
  const link = await page.locator('#webview').evaluate(() => {
    const { webView } = window as unknown as { webView: { props: { source: { uri: string } } } }
    return webView.props.source.uri
  })

  // The webview: a page whose messages go to the app.
  const webview = await context.newPage()
  await webview.exposeFunction('postToApp', (data: string) =>
    page.evaluate(
      nativeEvent => {
        const { webView } = window as unknown as { webView: { props: { onMessage: (event: object) => void } | null } }
        webView.props?.onMessage({ nativeEvent })
      },
      { data, url: webview.url() },
    ),
  )
  await webview.addInitScript(() => {
    const { postToApp } = window as unknown as { postToApp: (text: string) => void }
    Object.assign(window, { ReactNativeWebView: { postMessage: postToApp } })
  })
  await webview.goto(link)
  const flow = new Flow(webview, null)
  await flow.begin()
  await flow.linkOneAccount()
  await expect.poll(() => calls.at(-1)).toEqual(['onExit', { reason: 'completed' }])
  await expect(page.locator('#webview')).toHaveCount(0)
  const types = calls.flatMap(([name, event]) => (name === 'onEvent' ? [String(event!['type'])] : []))
  const order = ['opal.session.started', 'connect.accounts.selected', 'opal.session.completed', 'opal.session.exited']
  expect(types.filter(type => order.includes(type))).toEqual(order)
  expect(calls.filter(([name]) => name === 'onError')).toEqual([])
  for (const secret of ['Rivera', '5550101', '123456', token.slice(-33)])
    expect(JSON.stringify(calls)).not.toContain(secret)
  await host.stop()
})
