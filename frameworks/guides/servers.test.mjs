/** Compiles the guides' webhook handlers and runs them with signed deliveries. */
import { signWebhook } from '@causeway/sdk'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { byKind, createCompiler, fileOf } from '../../docs/tools/compile.mjs'
import { blocks } from '../../docs/tools/pages.mjs'
import { servers, serversFolder } from './compile.mjs'

const COMPILE_TIMEOUT_MS = 180_000
const own = byKind(blocks).get('server')
const compile = createCompiler(servers, serversFolder)
const load = name => import(/* @vite-ignore */ `${serversFolder}/server/${name}`)

const secret = 'a secret of the test, long enough'
const told = { webhook_id: 'whk_1', id: 'pmt_1', type: 'payment.update', op: 'update', event: 'evt_1', refs: null }

/**
 * Starts a framework's handler. Each function returns a promise of `post`, which posts to the handler, and `stop`,
 * which stops it.
 */
const starts = {
  express: ({ app }) =>
    new Promise(resolve => {
      const server = app.listen(0, '127.0.0.1', () =>
        resolve({ post: poster(`http://127.0.0.1:${server.address().port}`), stop: () => server.close() }),
      )
    }),
  fastify: async ({ app }) => ({
    post: poster(await app.listen({ port: 0, host: '127.0.0.1' })),
    stop: () => app.close(),
  }),
  next: async ({ POST }) => ({
    post: init =>
      POST(new Request('https://lender.example/hooks', { method: 'POST', ...init })).then(
        ({ status }) => status,
        () => 500, // Next.js responds with 500 if a handler throws
      ),
    stop() {},
  }),
}

const poster = origin => async init => (await fetch(`${origin}/hooks`, { method: 'POST', ...init })).status

test('the handlers compile', { timeout: COMPILE_TIMEOUT_MS }, async () => {
  expect(own.map(({ rest }) => rest).sort()).toEqual(Object.keys(starts))
  expect(await compile('server', own)).toBe('')
})

describe.for(Object.keys(starts))('the handler of %s', framework => {
  let post
  let stop
  let inbox
  beforeAll(async () => {
    process.env.HOOK_SECRET = secret
    process.env.NODE_ENV = 'test' // keeps Express from logging errors
    inbox = (await load('your-inbox.ts')).inbox
    ;({ post, stop } = await starts[framework](await load(fileOf(own.find(({ rest }) => rest === framework)))))
    return () => stop()
  }, COMPILE_TIMEOUT_MS)
  beforeEach(() => {
    inbox.rows = new Map()
  })

  const send = async (payload, { id = 'dlv_1', change = body => body } = {}) => {
    const body = JSON.stringify(payload, null, 1)
    return post({ headers: await signWebhook({ body, secret, id }), body: change(body) })
  }

  test('stores a genuine delivery and returns 204', async () => {
    expect(await send(told)).toBe(204)
    expect(inbox.rows.get('evt_1')).toEqual({ ...told, delivery_id: 'dlv_1' })
  })

  test('stores an event once, whether it is expanded or not', async () => {
    expect(await send(told)).toBe(204)
    expect(await send(told)).toBe(204)
    expect(await send({ ...told, event: { id: 'evt_1' } }, { id: 'dlv_2' })).toBe(204)
    expect([...inbox.rows.keys()]).toEqual(['evt_1'])
  })

  test('returns 400 for a body that was changed, an empty body and a body without a signature', async () => {
    expect(await send(told, { change: body => body.replace('pmt_1', 'pmt_2') })).toBe(400)
    expect(await send(told, { change: () => undefined })).toBe(400)
    const headers = { 'Content-Type': 'application/json' }
    expect(await post({ headers, body: JSON.stringify(told) })).toBe(400)
    expect(inbox.rows.size).toBe(0)
  })

  test('returns 500 while the event cannot be stored, so that it is sent again', async () => {
    inbox.rows = null
    expect(await send(told)).toBe(500)
  })
})
