/** Tests the users of the console with the browser's own passkeys, which a virtual authenticator holds. */
import type { BrowserContext, Page } from '@playwright/test'
import { violations } from './support/axe.js'
import type { Service } from './support/processes.js'
import { expect, test } from './support/test.js'

/** Adds an authenticator that confirms every prompt, like a fingerprint reader. */
async function addAuthenticator(context: BrowserContext, page: Page) {
  const client = await context.newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** Makes the next prompts fail, as if the user closed them. */
    refuse: (isRefused: boolean) =>
      client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: !isRefused }),
    clear: () => client.send('WebAuthn.clearCredentials', { authenticatorId }),
  }
}

const invite = async (service: Service, email: string, ...options: string[]) =>
  ((await service.admin('console', 'invite', email, ...options)) as { link: string }).link

const signedIn = (page: Page) => expect(page.getByRole('navigation', { name: 'Main' }).first()).toBeVisible()

async function accept(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel(/Your name/).fill(name)
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await signedIn(page)
}

async function signOut(page: Page): Promise<void> {
  await page.locator('.me summary').click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'Sign in to the console' })).toBeVisible()
}

test('a user accepts an invitation, signs out, and signs in with the passkey', async ({ context, page, service }) => {
  await addAuthenticator(context, page)
  const link = await invite(service, 'ines@example.com', '--role', 'support')
  await page.goto(link)
  await expect(page.getByText('You’re invited as ines@example.com, with the role support.')).toBeVisible()
  expect(page.url()).not.toContain('cinv_')
  expect(await violations(page)).toEqual([])
  await accept(page, link, 'Ines Farrow')
  await expect(page.locator('.me')).toContainText('Ines Farrow')
  await expect(page.locator('.me')).toContainText('Support')
  await signOut(page)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await signedIn(page)
  await expect(page.locator('.me')).toContainText('Ines Farrow')
})

test('a closed prompt, a used invitation and a lost passkey say what to do', async ({ context, page, service }) => {
  const authenticator = await addAuthenticator(context, page)
  const link = await invite(service, 'otto@example.com', '--role', 'admin')
  await authenticator.refuse(true)
  await page.goto(link)
  await page.getByLabel(/Your name/).fill('Otto')
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await expect(page.getByRole('alert')).toContainText('Try again.')
  await authenticator.refuse(false)
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await signedIn(page)
  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByRole('alert')).toContainText('If you already have a passkey, sign in with it.')
  await page.getByRole('button', { name: 'Sign in instead' }).click()
  await authenticator.clear()
  await accept(page, await invite(service, 'otto@example.com'), 'Otto')
})

test('an admin invites a colleague in the console, who is signed out when disabled', async ({
  browser,
  context,
  page,
  service,
}) => {
  await addAuthenticator(context, page)
  await accept(page, await invite(service, 'ada@example.com', '--role', 'admin'), 'Ada Admin')
  await page.getByRole('link', { name: 'Users' }).first().click()
  await page.getByRole('button', { name: 'Invite a user' }).click()
  await page.getByLabel('Email').fill('finn@example.com')
  await page.getByLabel('Role').selectOption('finance')
  await page.getByRole('button', { name: 'Create the link' }).click()
  const link = await page.getByLabel('Invitation').inputValue()
  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await addAuthenticator(elsewhere, other)
  await accept(other, link, 'Finn')
  await expect(other.locator('.me')).toContainText('Finance')
  await expect(other.getByRole('link', { name: 'Users' })).toHaveCount(0)
  await page.reload()
  await page.getByRole('button', { name: 'Change Finn' }).click()
  await page.getByLabel(/Disable/).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /Finn/ }).first()).toContainText('Disabled')
  await other.reload()
  await expect(other.getByRole('heading', { name: 'Sign in to the console' })).toBeVisible()
  await elsewhere.close()
})
