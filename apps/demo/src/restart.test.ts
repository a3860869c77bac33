import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createApplications } from './applications.js'
import { createFileStore } from './store.js'
import { desk, form, page, useSite } from './testing/site.js'

const { site, visit, submit, ask, borrower, reachTransfer } = useSite()

describe('after a restart', () => {
  it('the borrower’s page is at the same step, and the next token opens the same session', async () => {
    const { session, debts } = await reachTransfer()
    site.app = site.start()
    site.service.confirm(session, { [debts[0]]: 521_240 })
    expect(await (await visit(page)).text()).toContain('Change the amounts')
    await ask(`${page}/tokens/transfer`)
    expect(site.service.calls('POST /elements/token').at(-1)?.body).toMatchObject({ session_id: session })
    expect(site.service.sessions.size).toBe(1)
  })

  it('the back office shows the application with its history', async () => {
    await reachTransfer()
    const before = await (await visit(desk)).text()
    expect(before).toContain('A token to choose the payments was created')
    site.app = site.start()
    expect(await (await visit(desk)).text()).toBe(before)
  })

  it('other browsers still can’t open the application', async () => {
    await submit('/applications', form)
    site.app = site.start()
    expect((await visit(page)).status).toBe(200)
    expect((await visit(page, { cookie: 'borrower=another' })).status).toBe(404)
  })
})

describe('the file of applications', () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'applications.json')
  const application = {
    id: form.id,
    owner: 'a browser',
    first_name: 'Ana',
    last_name: 'Rivera',
    loan_amount: 1_000_000,
    entity_id: 'ent_1',
    session_id: null,
    tokens: [],
    created_at: '2026-03-30T09:00:00Z',
    told: 0,
    rest: null,
  }

  it('keeps every change, for this user only', () => {
    const applications = createApplications(createFileStore(file, 'acc_1'))
    applications.change(applications.add(application), { session_id: 'osess_1' })
    expect(createApplications(createFileStore(file, 'acc_1')).find(form.id)).toMatchObject({ session_id: 'osess_1' })
    expect(statSync(file).mode & 0o077).toBe(0)
  })

  it('is ignored if the service has another database', () => {
    expect(createFileStore(file, 'acc_2').load()).toEqual([])
  })

  it('is ignored, with a message, if it is damaged', () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    writeFileSync(file, readFileSync(file, 'utf8').slice(1))
    expect(createFileStore(file, 'acc_1').load()).toEqual([])
    expect(error).toHaveBeenCalledWith(expect.stringContaining('is not valid JSON'))
  })

  it('holds at most 1,000 applications', () => {
    const applications = createApplications()
    for (let count = 0; count <= 1_000; count++) applications.add({ ...application, id: String(count) })
    expect([applications.find('0'), applications.find('1')?.id]).toEqual([undefined, '1'])
  })
})

describe('the borrower’s own page', () => {
  it('is linked once there are accounts, by a new link for each click', async () => {
    await submit('/applications', form)
    expect(await (await visit(page)).text()).not.toContain('stop sharing')
    site.service.link(borrower())
    expect(await (await visit(page)).text()).toContain('See what you share, or stop sharing')
    const answer = await submit(`${page}/manage`)
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, 'http://localhost:4100/hosted/1#once'])
    expect(site.service.calls('POST /opal/token').at(-1)?.body).toMatchObject({ mode: 'manage', entity_id: borrower() })
  })

  it('is opened only for the browser that created the application', async () => {
    await submit('/applications', form)
    expect((await submit(`${page}/manage`, {}, { cookie: 'borrower=another' })).status).toBe(404)
    expect(site.service.calls('POST /opal/token')).toEqual([])
  })
})

it('the page marks exactly one next action at each step', async () => {
  const marked = async () =>
    [...(await (await visit(page)).text()).matchAll(/<(?:button|a)[^>]* data-next[^>]*>([^<]+)/g)].map(
      ([, text]) => text,
    )
  await submit('/applications', form)
  expect(await marked()).toEqual(['Link my accounts'])
  const [first] = site.service.link(borrower())
  expect(await marked()).toEqual(['Choose the payments'])
  await ask(`${page}/tokens/transfer`)
  site.service.confirm([...site.service.sessions.keys()][0]!, { [first]: 521_240 })
  expect(await marked()).toEqual(['Open this application in the back office'])
})
