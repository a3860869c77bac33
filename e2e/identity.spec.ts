import { headings } from './support/flow.js'
import { phones } from './support/people.js'
import { expect, test } from './support/test.js'

test('a wrong code shows how many attempts are left on the same screen; a correct code continues', async ({
  begin,
  flow,
}) => {
  await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  await flow.agree()
  await flow.enterCode('000000')
  await expect(flow.say('That isn’t the code we sent. You have 4 tries left.')).toBeVisible()
  await flow.enterCode('123456')
  await flow.at(headings.which)
})

test('an incomplete code is not sent, and a message shows what is missing', async ({ begin, flow }) => {
  await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  await flow.agree()
  await flow.enterCode('12345')
  await flow.press('Continue')
  await expect(flow.say('Enter all six digits of the code.')).toBeVisible()
  await expect(flow.field('Six-digit code')).toBeFocused()
})

test('an expired code shows a message, and another code can be sent', async ({ begin, flow }) => {
  await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  await flow.agree()
  await flow.enterCode('111111')
  await expect(flow.say(/code has expired/)).toBeVisible()
  await flow.press(/Text me a code|Send another code/)
  await flow.enterCode('123456')
  await flow.at(headings.which)
})

test('another code can be sent once the countdown is over', async ({ begin, flow, page }) => {
  await page.clock.install()
  await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  await flow.agree()
  await flow.at(headings.code)
  await expect(flow.button(/^Send again in 0:\d\d$/)).toHaveAttribute('aria-disabled', 'true')
  await page.clock.fastForward('00:31')
  await flow.press('Send another code')
  await expect(flow.frame.getByRole('status').filter({ hasText: 'Another code is on its way.' })).toBeAttached()
  await expect(flow.button(/^Send again in 0:\d\d$/)).toBeVisible()
})

test("the countdown uses the service's clock, regardless of the device's clock", async ({ begin, flow, api }) => {
  await api.advance('P7D')
  await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  await flow.agree()
  await flow.at(headings.code)
  await expect(flow.button(/^Send again in 0:\d\d$/)).toBeVisible()
})

test('a number that can’t get texts is refused in words, and the lender is named for changing it', async ({
  begin,
  flow,
}) => {
  await begin('+15125550199')
  await flow.at(headings.findAccounts)
  await flow.agree()
  await expect(flow.say('This number can’t get text messages.')).toBeVisible()
})

test('a person who is not the borrower can say so, and the lender gets an event; the next person starts over', async ({
  begin,
  flow,
  api,
  hostPage,
}) => {
  const { session } = await begin(phones.allPayable)
  await flow.at(headings.findAccounts)
  await flow.agree()
  await flow.at(headings.code)
  await flow.press('This isn’t me')
  await flow.at(headings.somebodyElse)
  await flow.press('No, it’s for me')
  await flow.at(headings.code)
  await flow.press('This isn’t me')
  await flow.press('Yes, stop here')
  await flow.at(headings.notMe)
  expect(await api.session(session)).toHaveProperty('not_me_at')
  await expect.poll(() => hostPage.heard.map(({ name }) => name)).toContain('identity_verification.identity.denied')
  await flow.frame.getByRole('main').getByRole('button', { name: 'Close' }).click()
  expect(await hostPage.hears('outcome')).toMatchObject({ reason: 'user' })
  await hostPage.reopen('opal-balance-transfer-element')
  await flow.at(headings.findAccounts)
  expect(await api.session(session)).not.toHaveProperty('not_me_at')
})

test.describe('on a mobile network', () => {
  test.use({ viewport: { width: 390, height: 844 } })
  test.beforeEach(async ({ page }) => {
    await page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'connection', { get: () => ({ type: 'cellular' }) }),
    )
  })

  test('a phone that its carrier recognizes needs no code, even on a cross-origin isolated page', async ({
    begin,
    flow,
    api,
    page,
    hostPage,
  }) => {
    const opened: { url: string; cookie: string | undefined; referer: string | undefined }[] = []
    let answer = () => {}
    const answering = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route('https://sna.causeway.example/**', async route => {
      const { cookie, referer } = route.request().headers()
      opened.push({ url: route.request().url(), cookie, referer })
      await answering
      await route.fulfill({ status: 204 })
    })
    const { entity } = await begin(phones.allPayable)
    await flow.at(headings.findAccounts)
    await flow.agree()
    await flow.at(headings.checking)
    await expect(flow.frame.getByRole('status').filter({ hasText: 'This takes a few seconds' })).toBeVisible()
    answer()
    await flow.at(headings.which)
    expect(opened).toHaveLength(2)
    for (const each of opened) expect(each).toEqual({ url: each.url, cookie: undefined, referer: undefined })
    expect(hostPage.refused).toEqual([])
    const { data } = await api.call<{ data: { type: string; method: string; status: string }[] }>(
      'GET',
      `/entities/${entity}/verification_sessions`,
    )
    expect(data.filter(({ type }) => type === 'phone')).toEqual([
      expect.objectContaining({ method: 'sna', status: 'verified' }),
    ])
  })

  test('a code is texted automatically if the carrier can’t be reached', async ({ begin, flow, page }) => {
    await page.route('https://sna.causeway.example/**', route => route.abort())
    await begin(phones.allPayable)
    await flow.at(headings.findAccounts)
    await flow.agree()
    await flow.at(headings.code)
    await flow.enterCode('123456')
    await flow.at(headings.which)
  })
})

test('a person with no number on file enters one, and can change it', async ({ api, host, hostPage, flow }) => {
  const individual = { first_name: 'Ana', last_name: 'Rivera' }
  const { id } = await api.call<{ id: string }>('POST', '/entities', { type: 'individual', individual })
  const { token } = await api.transferToken(id, { loan_amount: 500_000 })
  await hostPage.open(host, { tag: 'opal-balance-transfer-element', token: () => token })
  await flow.at(headings.findAccounts)
  await flow.agree()
  await flow.at(headings.newPhone)
  await flow.field('Mobile number').fill('512 555')
  await flow.press('Text me a code')
  await expect(flow.say('That number is 4 digits short. Enter all ten.')).toBeVisible()
  await flow.field('Mobile number').fill('+1 (512) 555-0105')
  await flow.press('Text me a code')
  await flow.at(headings.code)
  await flow.press('Change number')
  await flow.at(/number|text you a code/)
  if (await flow.button('Use another number').isVisible()) await flow.press('Use another number')
  await flow.field('Mobile number').fill('512-555-0101')
  await flow.press('Text me a code')
  await flow.enterCode('123456')
  await flow.at(headings.which)
})

test('asks only for the date of birth if nothing else is missing', async ({ begin, flow }) => {
  await begin(phones.birthday)
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.details)
  await expect(flow.field('ZIP code')).toBeHidden()
  await flow.press('Continue')
  await expect(flow.say('Enter the month, day and year.')).toBeVisible()
  await flow.field('Month').fill('03')
  await flow.field('Day').fill('11')
  await flow.field('Year').fill('1980')
  await flow.press('Continue')
  await flow.at(headings.which)
})

test("details that don't match anyone are shown again as entered; correct details continue", async ({
  begin,
  flow,
}) => {
  await begin(phones.birthdayAddressDigits)
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.details)
  await flow.field('Month').fill('03')
  await flow.field('Day').fill('11')
  await flow.field('Year').fill('1980')
  await flow.field('Last four digits of your SSN').fill('0000')
  await flow.press('Continue')
  await flow.at(headings.address)
  await flow.field('Street address').fill('100 Congress Ave')
  await flow.field('ZIP code').fill('78701')
  await expect(flow.field('State')).toHaveValue('TX')
  await flow.field('City').fill('Austin')
  await flow.press('Continue')
  await flow.at('Are these details right?')
  await expect(flow.say('We couldn’t find you with these details.')).toBeVisible()
  await expect(flow.field('Year')).toHaveValue('1980')
  await flow.field('Last four digits of your SSN').fill('1234')
  await flow.press('Continue')
  await flow.at('Is this your address?')
  await expect(flow.field('Street address')).toHaveValue('100 Congress Ave')
  await flow.press('Continue')
  await flow.at(headings.which)
})

test('wrong answers lead to new questions; correct answers continue', async ({ begin, flow }) => {
  await begin(phones.questions)
  await flow.at(headings.findAccounts)
  await flow.proveWhoIAm()
  await flow.at(headings.questions)
  const groups = flow.frame.getByRole('group')
  const first = await groups.first().textContent()
  await flow.press('Check my answers')
  await expect(flow.say('Choose an answer.')).toBeVisible()
  await flow.answer(/\(Incorrect\)/)
  await expect(flow.say(/Here are other questions/)).toBeVisible()
  expect(await groups.first().textContent()).not.toBe(first)
  await flow.answer(/\(Correct\)/)
  await flow.at(headings.which)
})
