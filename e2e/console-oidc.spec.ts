/** Tests the console's sign-in with a real OpenID provider and its own login pages. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { Service } from './support/processes.js'
import { expect, test } from './support/test.js'

const secret = 'console-client-secret-of-the-tests'

/** Listens on a free port of this machine. */
async function listen(serve: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(serve)
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  const stop = () => new Promise<void>(resolve => server.close(() => resolve()).closeAllConnections())
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, stop }
}

async function freePort(): Promise<string> {
  const { origin, stop } = await listen(() => {})
  await stop()
  return new URL(origin).port
}

test('a person signs in with the provider’s pages, gets the role of a group, and signs out at both', async ({
  page,
}) => {
  const port = await freePort()
  const consoleOrigin = `http://localhost:${port}`
  let serve: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  const { origin: issuer, stop } = await listen((request, response) => serve(request, response))
  const claims = { email: 'finn@example.com', email_verified: true, name: 'Finn Harbor', groups: ['lending-finance'] }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'console',
        client_secret: secret,
        redirect_uris: [`${consoleOrigin}/sign-in/oidc`],
        post_logout_redirect_uris: [`${consoleOrigin}/`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...claims }) }),
  })
  const callback = provider.callback()
  serve = (request, response) => void callback(request, response)
  const service = new Service({
    CONSOLE_PORT: port,
    CONSOLE_KEY_SIGN_IN: 'refuse',
    CONSOLE_OIDC_ISSUER: issuer,
    CONSOLE_OIDC_CLIENT_ID: 'console',
    CONSOLE_OIDC_CLIENT_SECRET: secret,
    CONSOLE_OIDC_NAME: 'Harbor Login',
    CONSOLE_OIDC_ROLES: 'lending-finance=finance',
  })
  await service.start()
  try {
    await page.goto(consoleOrigin)
    await expect(page.getByLabel('Secret key')).toHaveCount(0)
    await page.getByRole('button', { name: 'Continue with Harbor Login' }).click()
    await page.getByPlaceholder('Enter any login').fill('finn')
    await page.getByPlaceholder('and password').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.locator('.me')).toContainText('Finn Harbor')
    await expect(page.locator('.me')).toContainText('Finance')
    expect(page.url()).not.toContain('code=')
    await page.locator('.me summary').click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
    await page.getByRole('button', { name: 'Yes, sign me out' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in to the console' })).toBeVisible()
  } finally {
    await service.remove()
    await stop()
  }
})
