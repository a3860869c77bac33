import { errors, ServiceError } from '@causeway/contract/errors'
import { type Context, Hono } from 'hono'
import { createRequestId } from '../../platform/crypto/random.js'
import { levelOf } from '../../platform/db/fault.js'
import { createSlot } from '../../platform/http/admission.js'
import { readBytes, readObject } from '../../platform/http/body.js'
import { safeHeaders } from '../../platform/http/headers.js'
import { answerFaults, observeAll } from '../../platform/http/observe.js'
import { asServiceError } from '../../platform/http/render.js'
import { checkQuery } from '../../platform/http/url-text.js'
import { describeFault } from '../../platform/log.js'
import { type Deps, depsFor } from '../../platform/scope.js'
import { exit } from '../engine/exit.js'
import { exportData } from '../engine/export-data.js'
import { look, StaleError, submit } from '../engine/frame-calls.js'
import { peek, start } from '../engine/prepared-session.js'
import { type Visitor, visit } from '../tokens/bearer.js'
import { readRedeem, redeem } from '../tokens/redeem.js'
import { type Assets, serveAsset } from './assets.js'
import { createEarly } from './early.js'
import { hosted } from './hosted-page.js'
import { createLogos } from './logo.js'
import { findByHandle, preloadPage, shell } from './shell.js'

export type { Assets } from './assets.js'
/** Connection details that the listener provides. */
export interface FrameEnv {
  Bindings: { incoming?: { socket?: { remoteAddress?: string } } }
}

type C = Context<FrameEnv>

const text = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }
const REDEEM = '/s/redeem'
/** Size limits, in bytes, for requests from unauthenticated clients and for a step's input. */
const MAX_REDEMPTION = 4_096
const MAX_STEP = 65_536

/**
 * Creates the frame listener, which serves the shell, assets, kit and session calls. Everything except the kit is
 * same-origin with the frame.
 */
export function createFrame(deps: Deps, assets: Assets): Hono<FrameEnv> {
  const app = new Hono<FrameEnv>()
  const logos = createLogos(deps)
  const addFirstScreen = createEarly(assets, deps.log)
  observeAll(app, deps, safeHeaders(deps.frameOrigin))
  answerFaults(app, deps, deps.frameOrigin)

  async function call(
    c: C,
    route: string,
    work: (mine: Deps) => Promise<unknown>,
    stale?: (mine: Deps) => Promise<unknown>,
  ): Promise<Response> {
    const started = performance.now()
    const requestId = createRequestId(deps.clock())
    const slot = createSlot(deps.admission)
    const mine = depsFor(deps, requestId, undefined, slot)
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', 'Request-Id': requestId }
    const answer = (status: number, body: unknown, more: Record<string, string> = {}) =>
      new Response(JSON.stringify(body), { status, headers: { ...headers, ...more } })
    let response: Response
    try {
      limit(c, route === REDEEM)
      checkSite(c, deps.frameOrigin)
      checkQuery(c.req.url)
      response = answer(200, await work(mine))
    } catch (error) {
      if (error instanceof StaleError && stale)
        response = answer(409, { error: new ServiceError('STALE_REVISION').body(), view: await stale(mine) })
      else {
        const refused = asServiceError(error)
        if (refused !== error)
          deps.log(levelOf(error), 'fault', { request_id: requestId, route, ...describeFault(error) })
        response = answer(refused.status, { error: refused.body() }, refused.headers)
      }
    } finally {
      slot.end()
    }
    const ms = performance.now() - started
    const { method } = c.req
    const { status } = response
    deps.metrics.request({ method, route, status, ms })
    deps.log('info', 'request', { request_id: requestId, method, route, status, ms: Math.round(ms) })
    return response
  }

  const authenticate = (c: C) => visit(deps, c.req.header('authorization'))
  /** Authenticates a bearer, then waits for a slot, as a request to the API does. */
  const visitor = async (c: C, mine: Deps): Promise<Visitor> => {
    const who = await authenticate(c)
    await enter(mine, who)
    return who
  }
  const address = (c: C) => {
    const remote = c.env?.incoming?.socket?.remoteAddress
    return remote && deps.addressOf(remote, c.req.header('x-forwarded-for'))
  }

  const limit = (c: C, redeems = false) => {
    const remote = address(c)
    if (remote !== undefined) deps.limits.frame(remote, redeems)
  }
  /** Serves a token's page. Rate limits apply, because each page load reads from the store. */
  const page = async (c: C, work: () => Promise<Response>): Promise<Response> => {
    try {
      limit(c)
      checkQuery(c.req.url)
    } catch (error) {
      const refused = asServiceError(error)
      return new Response(`${refused.message}\n`, { status: refused.status, headers: { ...text, ...refused.headers } })
    }
    return work()
  }

  app.post(REDEEM, c =>
    call(c, REDEEM, async mine => {
      const given = readRedeem(readObject(await readBytes(c.req.raw, { most: MAX_REDEMPTION })))
      const { bearer, visitor, news } = await redeem(mine, given)
      return { bearer, view: given.prepared ? await peek(mine, visitor) : await look(mine, visitor, news) }
    }),
  )
  app.post('/s/open', c =>
    call(c, '/s/open', async mine => {
      const who = await visitor(c, mine)
      return look(mine, who, await start(mine, who))
    }),
  )
  app.get('/s', c => call(c, '/s', async mine => look(mine, await visitor(c, mine))))
  app.post('/s/steps/:step', c => {
    let who: Visitor | undefined
    return call(
      c,
      '/s/steps/:step',
      async mine => {
        who = await authenticate(c)
        const input = readObject(await readBytes(c.req.raw, { most: MAX_STEP }))
        await enter(mine, who)
        return submit(mine, who, c.req.param('step'), input, address(c))
      },
      mine => look(mine, who!),
    )
  })

  app.post('/s/exit', c =>
    call(c, '/s/exit', async mine => {
      await exit(mine, await visitor(c, mine))
      return {}
    }),
  )

  app.get('/s/export', async c => {
    const response = await call(c, '/s/export', async mine => exportData(mine, await visitor(c, mine)))
    if (response.ok) response.headers.set('Content-Disposition', 'attachment; filename="my-data.json"')
    return response
  })

  app.get('/e/:handle', c =>
    page(c, () =>
      shell(deps, assets, addFirstScreen, c.req.param('handle'), {
        accepted: c.req.header('accept-language'),
        hints: hints(c),
        settings: c.req.query('init'),
      }),
    ),
  )
  app.get('/preload', c => page(c, async () => preloadPage(assets)))
  app.get('/h/:handle', c => page(c, () => hosted(deps, assets, c.req.param('handle'), hints(c))))
  app.get('/logo/:handle', c => page(c, async () => logos.customer(await findByHandle(deps, c.req.param('handle')))))
  app.get('/institutions/:id', c => page(c, () => logos.institution(c.req.param('id'))))
  const kit = (c: C, folder: string, immutable: boolean) =>
    serveAsset(assets.kit, c.req.path.slice(folder.length), { immutable, shared: true, accepted: accepted(c) })
  app.get('/assets/*', c =>
    serveAsset(assets.flow, c.req.path, { immutable: true, shared: false, accepted: accepted(c) }),
  )
  app.get('/v1/*', c => kit(c, '/v1', false))
  app.get(`/${assets.version}/*`, c => kit(c, `/${assets.version}`, true))
  app.notFound(
    () =>
      new Response(
        JSON.stringify({ error: { ...new ServiceError('NOT_FOUND').body(), message: errors.NOT_FOUND.message } }),
        { status: 404, headers: { 'Content-Type': 'application/json' } },
      ),
  )
  return app
}

const enter = async ({ slot }: Deps, { team }: Visitor) => slot?.enter(team.path[0]!)

const hints = (c: C) => c.req.header('sec-ch-ua')
const accepted = (c: C) => c.req.header('accept-encoding')

/** Rejects session calls from pages other than the frame's own. */
function checkSite(c: C, frameOrigin: string): void {
  const origin = c.req.header('origin')
  const site = c.req.header('sec-fetch-site')
  if ((origin !== undefined && origin !== frameOrigin) || (site !== undefined && site !== 'same-origin'))
    throw new ServiceError('FORBIDDEN', 'Session requests must come from the frame.')
}
