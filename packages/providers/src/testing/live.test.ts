import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createIncreaseEmulator } from '../increase/emulator/emulator.js'
import { increaseLive } from '../increase/live.js'
import { createPlaidEmulator } from '../plaid/emulator/emulator.js'
import { plaidLive } from '../plaid/live.js'
import { createTwilioEmulator } from '../twilio/emulator/emulator.js'
import { twilioLive } from '../twilio/live.js'
import { fetchFrom } from './emulated.js'
import { START } from './increase.js'
import { type LiveOptions, runLive } from './live.js'
import type { LiveRun } from './live-run.js'
import { browseLink, emulatedEnv as plaidEnv } from './plaid.js'
import { emulatedEnv } from './twilio.js'

const key = 'emulator_api_key'
const secret = 'a shared secret of the subscription'
const webhooks = { url: 'https://api.example.com/hooks/increase', secret }
const increaseEnv = { INCREASE_API_KEY: key, INCREASE_WEBHOOK_SECRET: secret, INCREASE_ENVIRONMENT: 'sandbox' }
const phone = '+15125550142'

async function run(live: LiveRun, options: Partial<LiveOptions>) {
  const lines: string[] = []
  const print = (line: string) => lines.push(line)
  const code = await runLive(live, { env: {}, print, now: () => START, retryMs: 0, ...options })
  return { code, output: lines.join('\n') }
}

type Change = (request: Request, response: Response) => Promise<Response>

function runIncrease(change: Change = async (_, response) => response, options: Partial<LiveOptions> = {}) {
  const { answer } = createIncreaseEmulator({ now: () => START, webhooks })
  const fetch = fetchFrom(async request => change(request, await answer(request.clone())))
  return run(increaseLive, { env: increaseEnv, fetch, ...options })
}

/** Replaces a member of the answers whose body has it. */
const replace =
  (member: string, value: unknown): Change =>
  async (_, response) => {
    const body = (await response.clone().json()) as Record<string, unknown>
    if (!(member in body)) return response
    return Response.json({ ...body, [member]: value }, { status: response.status })
  }

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'live-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function runTwilio(options: Partial<LiveOptions> = {}) {
  const emulator = createTwilioEmulator({ now: () => START })
  emulator.setPhone(phone, { owner: { FirstName: 'Ana', LastName: 'Diaz', DateOfBirth: '19900101' } })
  return run(twilioLive, {
    env: emulatedEnv,
    options: { '--phone': phone },
    fetch: fetchFrom(emulator.answer),
    prompt: async () => emulator.codeOf(phone) ?? null,
    ...options,
  })
}

describe('a live run', () => {
  it('passes with Increase, and ends with the line for the declaration', async () => {
    const { code, output } = await runIncrease()
    expect(output).toContain('11 of 11 passed, 0 failed, 0 skipped.')
    expect(output).toMatch(/declaration of increase:\n {2}proven: \{ level: 'sandbox', on: '2026-11-30' \},$/)
    expect(code).toBe(0)
  })

  it('passes with Twilio, and skips the code if the operator enters none', async () => {
    const { code, output } = await runTwilio()
    expect(output).toContain('8 of 8 passed, 0 failed, 0 skipped.')
    expect(output).toContain('This run sends one text message to the phone.')
    expect(code).toBe(0)
    const skipped = await runTwilio({ prompt: async () => null })
    expect(skipped.output).toContain('skipped  the right code is correct: no code was entered')
    expect(skipped.code).toBe(0)
  })

  it('passes with Plaid, and skips the accounts if nothing was linked', async () => {
    const runPlaid = (isLinked: boolean) => {
      const emulator = createPlaidEmulator({ now: () => START })
      return run(plaidLive, {
        env: plaidEnv,
        fetch: fetchFrom(emulator.answer),
        async prompt(question) {
          const [url] = /http\S+\/hosted\/[\w-]+/.exec(question)!
          if (isLinked) await browseLink(emulator.answer, url!, 'ins_900001', 'user_good')
          return ''
        },
      })
    }
    expect((await runPlaid(true)).output).toContain('5 of 5 passed, 0 failed, 0 skipped.')
    expect((await runPlaid(false)).output).toContain('4 of 5 passed, 0 failed, 1 skipped.')
  })

  it('names the steps of a wrong answer, and proves nothing', async () => {
    const { code, output } = await runIncrease(replace('return', null))
    expect(output).toContain(
      'failed   a return needs a reversal, with our code and the raw code R02: the status is "processing", and should be "reversal_required"',
    )
    expect(output).toContain('9 of 11 passed, 2 failed')
    expect(output).not.toContain('proven')
    expect(code).toBe(1)
  })

  it('fails if an answer violates the documents where it is read, and tolerates it elsewhere', async () => {
    const read = await runIncrease(replace('created_at', 5))
    expect(read.output).toContain('violated: POST /ach_transfers answer 200: body/created_at must be string')
    expect(read.code).toBe(1)
    const unread = await runIncrease(replace('company_id', 5))
    expect(unread.output).toContain('tolerated: POST /ach_transfers answer 200: body/company_id must be string')
    expect(unread.output).not.toContain('violated')
    expect(unread.code).toBe(0)
  })

  it('names the problem of a rejected key', async () => {
    const { code, output } = await runIncrease(undefined, { env: { ...increaseEnv, INCREASE_API_KEY: 'another_key' } })
    expect(output).toContain('failed   the checks of the doctor find no problem: Increase rejected INCREASE_API_KEY')
    expect(code).toBe(1)
  })

  it('is skipped without keys, and refused with an invalid one', async () => {
    const { code, output } = await run(increaseLive, {})
    expect(output).toContain('Skipped: INCREASE_API_KEY and INCREASE_WEBHOOK_SECRET must be set')
    expect(code).toBe(0)
    const invalid = await run(increaseLive, { env: { ...increaseEnv, INCREASE_API_KEY: 'a b' } })
    expect(invalid.output).toMatch(/^INCREASE_API_KEY must be/)
    expect(invalid.code).toBe(2)
  })

  // kills: live-run-refuses-production
  it('sends nothing to a production system', async () => {
    const fetch = () => Promise.reject(new Error('It sent a request.'))
    const { INCREASE_API_KEY, INCREASE_WEBHOOK_SECRET } = increaseEnv
    const { code, output } = await run(increaseLive, { env: { INCREASE_API_KEY, INCREASE_WEBHOOK_SECRET }, fetch })
    expect(output).toMatch(/^Refused: these settings reach the production system of Increase\./)
    expect(output).not.toContain('ok ')
    expect(code).toBe(2)
  })

  it('sends no text without a phone', async () => {
    const { code, output } = await runTwilio({ options: {} })
    expect(output).toContain('--phone is required: a phone of yours, which gets one text message.')
    expect(code).toBe(2)
  })

  it('proves nothing with an emulator on this machine', async () => {
    const env = { ...increaseEnv, INCREASE_API_URL: 'http://127.0.0.1:4720' }
    const { code, output } = await runIncrease(undefined, { env })
    expect(output).toContain('proves nothing about the company')
    expect(code).toBe(0)
  })

  it('saves examples without values', async () => {
    const folder = createFolder()
    await runIncrease(undefined, { save: folder })
    await runTwilio({ save: folder })
    const files = readdirSync(folder)
    expect(files).toContain('post-simulations-ach-transfers-id-return-200.json')
    expect(files).toContain('get-v2-attempts-200.json')
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    expect(JSON.parse(read('post-simulations-ach-transfers-id-return-200.json'))[0]).toMatchObject({
      operation: 'POST /simulations/ach_transfers/{id}/return',
      status: 200,
      request: { reason: 'account_closed' },
      answer: { status: 'returned', amount: '(integer)', account_number: '(string)', created_at: '(string)' },
    })
    const values = [
      key,
      secret,
      '021000021',
      '123456789',
      'Sandbox',
      '5125550142',
      'Nobody',
      emulatedEnv.TWILIO_ACCOUNT_SID,
    ]
    for (const name of files) for (const value of values) expect(read(name)).not.toContain(value)
  })
})
