/** The connector with providers as a process of its own, killed at bad moments. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { serveFaulty } from '@causeway/connector/emulator/server'
import { createExchange } from '@causeway/connector/http/exchange'
import { pushSchema } from '@causeway/connector/methods/contract'
import { createIncreaseEmulator } from '@causeway/providers/increase/emulator/emulator'
import { expect, it } from 'vitest'
import { createConnectorCaller } from '../../network/connectors/ask.js'
import { createSentCalls } from '../../network/connectors/sent-calls.js'
import { combinePorts } from '../../network/providers/ports.js'
import { routeAll } from '../../network/providers/routing.js'
import { openLiveStore } from '../../platform/db/store.js'
import { stopAtEnd } from '../../testing/cleanup.js'
import { connectorKeys } from '../../testing/connector/connector.js'
import { connectorKey } from '../../testing/connector/connector-process.js'
import { lender } from '../../testing/money.js'
import { engine, freshStore, testService } from '../../testing/service.js'

const SECRET = 'the shared secret of the subscription'
const API_KEY = 'emulator_api_key'

/** True to end the process when the bank has made a transfer but not answered. */
let isKilledAtTransfer = false
/** True if the service accepts no pushes. */
let isServiceDown = false
let child: ChildProcess
let output = ''

const emulator = createIncreaseEmulator({
  accounts: [{ name: 'Lender', balance: 100_000_000, routing: '062103000', number: '123456789' }],
  webhooks: { url: 'https://connector.example/hooks/increase', secret: SECRET },
})
const bank = await serveFaulty(async request => {
  const isCreation = request.method === 'POST' && new URL(request.url).pathname === '/ach_transfers'
  const answer = await emulator.answer(request)
  if (!isCreation || !isKilledAtTransfer) return answer
  isKilledAtTransfer = false
  child.kill('SIGKILL')
  await once(child, 'close')
  return null
})
stopAtEnd(bank.close)

/** The ids of the pushes, with the response to each. */
const pushes: { id: string; status: number }[] = []
const api = await serveFaulty(async request => {
  const { id } = pushSchema.parse(await request.clone().json())
  // The connector signs by the real time, and its start can take longer than a signature is valid.
  catchUp()
  const answer = isServiceDown ? new Response('', { status: 503 }) : await service.app.api.fetch(request)
  pushes.push({ id, status: answer.status })
  return answer
})
stopAtEnd(api.close)

async function createDatabase(): Promise<string> {
  if (engine === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-connector-'))
    stopAtEnd(async () => rmSync(folder, { recursive: true, force: true }))
    return `file:${join(folder, 'connector.db')}`
  }
  const { store, url, remove } = await freshStore()
  await store.close()
  stopAtEnd(remove)
  return url
}
const database = await createDatabase()

/** Starts the process. @returns the lines that it prints when it is ready */
async function start(): Promise<{ url: string; ops_origin: string }> {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const script = fileURLToPath(new URL('../connector.ts', import.meta.url))
  child = spawn(
    process.execPath,
    ['--conditions=source', '--import', tsx, script, '--providers', 'increase', '--port', '0'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        ...{ DATABASE_URL: database, ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64'), OPS_PORT: '0' },
        ...{ CONNECTOR_KEY: connectorKey, API_ORIGIN: api.url },
        ...{ INCREASE_API_URL: bank.url, INCREASE_API_KEY: API_KEY, INCREASE_WEBHOOK_SECRET: SECRET },
      },
    },
  )
  child.stderr!.on('data', data => (output += data))
  const line = await new Promise<string>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`The connector exited with ${code}: ${output}`)))
    createInterface({ input: child.stdout! }).once('line', resolve)
  })
  output += line
  return JSON.parse(line)
}
stopAtEnd(async () => child.kill('SIGKILL'))

/** Lets the time pass after which the process sends its pushes again. */
async function makePushesDue(): Promise<void> {
  const store = await openLiveStore(database)
  await store.write(tx =>
    tx.updateTable('provider_pushes').set({ next_at: 0 }).where('team_id', '=', service.team).execute(),
  )
  await store.close()
}

let origins = await start()
const exchange = (path: string, call: Parameters<ReturnType<typeof createExchange>>[1]) =>
  createExchange({ url: origins.url, keys: connectorKeys, timeout: 5_000, fetch, clock: Date.now, id: randomUUID })(
    path,
    call,
  )
const service = await testService({
  paysByDirectory: true,
  ports: sandbox => {
    const caller = createConnectorCaller({
      exchange,
      sentCalls: { recordSend: (...call) => createSentCalls(service.store, Date.now).recordSend(...call) },
      // Between two attempts, the process starts again if it was killed.
      async sleep() {
        if (!child.killed) return
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
        await makePushesDue()
        isServiceDown = false
        origins = await start()
      },
      log: () => {},
    })
    const { rail } = combinePorts({ routes: routeAll('connector'), callers: new Map([['connector', caller]]) })
    return { ...sandbox, rail }
  },
})
/** Sets the service's clock to the real time, by which the bank and the connector run. */
const catchUp = () => service.advance(Date.now() - service.deps.clock())
catchUp()
const team = lender(service)

it('is killed before it answers and while it owes a push, and then pays once and sends the push', async () => {
  expect((await fetch(`${origins.ops_origin}/readyz`)).status).toBe(200)
  await team.must('PATCH', '/team', { ach_destinations: true })
  const [source, destination] = [(await team.source()).id, (await team.source('555001')).id]
  const pay = async () => {
    const { id } = await team.must('POST', '/payments', { amount: 5_000, source, destination, description: 'x' })
    await service.settle()
    return id
  }
  const first = await pay()
  const [transfer] = emulator.transfers.all.keys()
  const headers = { authorization: `Bearer ${API_KEY}` }
  await fetch(`${bank.url}/simulations/ach_transfers/${transfer}/submit`, { method: 'POST', headers })
  catchUp()
  isServiceDown = true
  for (const delivery of emulator.takeWebhooks())
    expect((await fetch(`${origins.url}/hooks/increase`, { method: 'POST', ...delivery })).status).toBe(200)
  await expect.poll(() => pushes[0]?.status, { timeout: 60_000 }).toBe(503)

  isKilledAtTransfer = true
  const second = await pay()
  expect(isKilledAtTransfer).toBe(false)
  expect([...emulator.transfers.all.values()].map(each => each.idempotency_key)).toEqual([first, second])
  expect(await team.must('GET', `/payments/${second}`)).toMatchObject({ status: 'pending', error: null })
  const answers = () => pushes.filter(({ id }) => id === pushes[0]!.id).map(({ status }) => status)
  await expect.poll(answers, { timeout: 60_000 }).toContain(200)
  await service.settle()
  expect(await team.must('GET', `/payments/${first}`)).toMatchObject({ status: 'processing' })

  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([0, null])
  for (const value of [SECRET, API_KEY, '555001', connectorKey]) expect(output).not.toContain(value)
}, 180_000)
