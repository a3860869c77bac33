/** Screens outside a customer's page: the hosted page (from the link to the redirect back) and an unknown URL. */
import { Flow, headings } from './flow.js'
import { phones } from './people.js'
import type { Scene } from './stage.js'

/**
 * Creates a link to a hosted page that redirects to the customer's page. Blocks the redirect so that the last hosted
 * screen stays visible.
 */
async function link({ api, host, page }: Parameters<Scene>[0]): Promise<string> {
  await page.route(`${host.origin}/**`, route => route.abort('aborted'))
  const { hosted_url } = await api.call<{ hosted_url: string }>('POST', '/elements/token', {
    type: 'connect',
    entity_id: await api.person(phones.allPayable),
    connect: { products: ['balance'] },
    redirect_url: `${host.origin}/back`,
  })
  return hosted_url
}

const hosted: Scene = async (stage, see) => {
  const { page, api } = stage
  const flow = new Flow(page, null)
  const url = await link(stage)
  await page.goto(url)
  await flow.at(/^Continue with/)
  await see('hosted-begin')
  await flow.begin()
  await flow.at(headings.shareAccounts)
  await see('hosted-consent')
  await flow.redeemed()
  await api.advance('PT31M')
  await flow.agree()
  await flow.at('Your session has ended')
  await see('hosted-ended')
  await flow.press(/^Go back to/)
  await flow.at(/^Taking you back to/)
  await see('hosted-left')
}

const spoiled: Scene = async (stage, see) => {
  const { page, api } = stage
  const flow = new Flow(page, null)
  const url = await link(stage)
  await page.goto(url.slice(0, url.indexOf('#')))
  await flow.at('This link isn’t complete')
  await see('hosted-incomplete')
  await api.advance('PT24H1S')
  await page.goto('about:blank')
  await page.goto(url)
  await flow.at('This link can’t be used anymore')
  await see('hosted-spent')
}

const unknown: Scene = async (stage, see) => {
  const { page } = stage
  const flow = new Flow(page, null)
  await page.goto(new URL(`/e/${'x'.repeat(16)}`, await link(stage)).href)
  await flow.at(/can’t be opened anymore/)
  await see('unknown-address')
}

const own: Scene = async (stage, see) => {
  const { page, api, host } = stage
  const flow = new Flow(page, null)
  await page.route(`${host.origin}/**`, route => route.abort('aborted'))
  const entity_id = await api.person(phones.allPayable)
  const redirect_url = `${host.origin}/back`
  const connect = { type: 'connect', entity_id, connect: { products: ['balance'] }, redirect_url }
  await page.goto((await api.call<{ hosted_url: string }>('POST', '/elements/token', connect)).hosted_url)
  await flow.begin()
  await flow.proveWhoIAm()
  await flow.at(/^Which accounts should .+ use/)
  await flow.choose('Citi Double Cash', 'LendingClub')
  await flow.goOn()
  await flow.at(headings.connected)
  const manage = { mode: 'manage', entity_id, redirect_url }
  const { data } = await api.call<{ data: { hosted_url: string } }>('POST', '/opal/token', manage)
  await page.goto(data.hosted_url)
  await flow.begin()
  await flow.at(headings.phone)
  await flow.press('Text me a code')
  await flow.enterCode('123456')
  await flow.at(/^What you share with/)
  await see('manage')
  await flow.press(/^Stop sharing Citi Double Cash/)
  await see('manage-stop')
  await flow.press('Stop sharing')
  await flow.at(/^What you share with/)
  await flow.press('Stop sharing everything')
  await see('manage-stop-all')
  await flow.press('Stop sharing everything')
  await flow.at(/^You share nothing with/)
  await see('manage-withdrawn')
}

export const hostedScenes: Record<string, Scene> = {
  'a hosted page': hosted,
  "the person's own page": own,
  'links that are no good': spoiled,
  'an unknown address': unknown,
}
