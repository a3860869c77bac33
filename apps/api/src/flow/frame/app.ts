import { errors, ServiceError } from '@causeway/contract/errors'
import type { Context, Hono } from 'hono'
import { LINKED_PATH } from '../../people/links/pages.js'
import { createDeferredSlot } from '../../platform/http/limits/admission.js'
import {
  addressOf,
  createEnvelope,
  createListener,
  createPlainEnvelope,
  Exchange,
  exchangeOf,
  type ListenerEnv,
  plainStages,
} from '../../platform/http/pipeline/envelope.js'
import { readBytes, readObject } from '../../platform/http/request/body.js'
import { checkQuery } from '../../platform/http/request/url-text.js'
import { safeHeaders } from '../../platform/http/response/headers.js'
import { asServiceError } from '../../platform/http/response/render.js'
import { type Deps, depsFor } from '../../platform/scope.js'
import { recordExit } from '../engine/exit.js'
import { exportData } from '../engine/export-data.js'
import { StaleError, submitStep, viewSession } from '../engine/frame-calls.js'
import { previewSession, startSession } from '../engine/prepared-session.js'
import { authenticateBearer, type Visitor } from '../tokens/bearer.js'
import { readRedemption, redeem } from '../tokens/redeem.js'
import { type Assets, serveAsset } from './assets.js'
import { createEarly } from './first-screen.js'
import { hosted } from './hosted-page.js'
import { linkedPage } from './linked-page.js'
import { createLogos } from './logo.js'
import { findByHandle, preloadPage, shell } from './shell.js'

export type { Assets } from './assets.js'

type C = Context<ListenerEnv>

const text = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }
const REDEEM = '/s/redeem'
/** Size limits, in bytes, for requests from unauthenticated clients and for a step's input. */
const MAX_REDEMPTION = 4_096
const MAX_STEP = 65_536

/** A request for a page. */
class PageExchange extends Exchange {
  /** True once the stages before the page's handler have passed. */
  isAdmitted = false
}

/** Creates the listener's two envelopes: of session calls, and of a token's pages. Both count each request. */
function createEnvelopes(deps: Deps) {
  const plain = plainStages(deps, safeHeaders(deps.frameOrigin))
  const limit = (exchange: Exchange) => {
    const address = addressOf(deps, exchange)
    if (address !== undefined) deps.limits.frame(address, exchange.route === REDEEM)
  }
  const url = ({ request }: Exchange) => checkQuery(request.url)
  return {
    serveCall: createEnvelope<Exchange, Response>({
      limit,
      access: null, // The handlers read the bearer, because each of them waits for a slot at another point.
      site: exchange => checkSite(exchange, deps.frameOrigin),
      url,
      ...plain,
    }),
    servePage: createEnvelope<PageExchange, Response>({
      limit, // Each page load reads from the store.
      access: null, // A page shows nothing of a person. Its handle is part of its address.
      site: null, // Other sites embed the pages.
      url,
      ...plain,
      error(error, exchange) {
        if (exchange.isAdmitted) return plain.error(error, exchange)
        const { message, status, headers } = asServiceError(error)
        return new Response(`${message}\n`, { status, headers: { ...text, ...headers } })
      },
    }),
    serveFile: createPlainEnvelope(deps, deps.frameOrigin),
  }
}

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  })

/**
 * Creates the frame listener, which serves the shell, assets, kit and session calls. Everything except the kit is
 * same-origin with the frame.
 */
export function createFrame(deps: Deps, assets: Assets): Hono<ListenerEnv> {
  const app = createListener()
  const envelopes = createEnvelopes(deps)
  addCalls(app, deps, envelopes)
  addPages(app, deps, assets, envelopes)
  addFiles(app, deps, assets, envelopes)
  app.notFound(c =>
    envelopes.serveFile(
      exchangeOf(deps, c, '/*'),
      () =>
        new Response(
          JSON.stringify({ error: { ...new ServiceError('NOT_FOUND').body(), message: errors.NOT_FOUND.message } }),
          { status: 404, headers: { 'Content-Type': 'application/json' } },
        ),
    ),
  )
  return app
}

type Envelopes = ReturnType<typeof createEnvelopes>

/** Adds the session calls. */
function addCalls(app: Hono<ListenerEnv>, deps: Deps, { serveCall }: Envelopes): void {
  /** @param stale answers a page whose view is no longer current */
  const call = (
    c: C,
    route: string,
    work: (mine: Deps, exchange: Exchange) => Promise<unknown>,
    stale?: (mine: Deps) => Promise<unknown>,
  ): Promise<Response> =>
    serveCall(exchangeOf(deps, c, route), async exchange => {
      const slot = createDeferredSlot(deps.admission)
      const mine = depsFor(deps, exchange.id, undefined, slot)
      try {
        return json(200, await work(mine, exchange))
      } catch (error) {
        if (!(error instanceof StaleError && stale)) throw error
        return json(409, { error: new ServiceError('STALE_REVISION').body(), view: await stale(mine) })
      } finally {
        slot.end()
      }
    })

  const authenticate = (c: C) => authenticateBearer(deps, c.req.header('authorization'))
  /** Authenticates a bearer, then waits for a slot, as a request to the API does. */
  const visitor = async (c: C, mine: Deps): Promise<Visitor> => {
    const who = await authenticate(c)
    await enter(mine, who)
    return who
  }

  app.post(REDEEM, c =>
    call(c, REDEEM, async mine => {
      const redemption = readRedemption(readObject(await readBytes(c.req.raw, { most: MAX_REDEMPTION })))
      const { bearer, visitor, news } = await redeem(mine, redemption)
      return {
        bearer,
        view: redemption.prepared ? await previewSession(mine, visitor) : await viewSession(mine, visitor, news),
      }
    }),
  )
  app.post('/s/open', c =>
    call(c, '/s/open', async mine => {
      const who = await visitor(c, mine)
      return viewSession(mine, who, await startSession(mine, who))
    }),
  )
  app.get('/s', c => call(c, '/s', async mine => viewSession(mine, await visitor(c, mine))))
  app.post('/s/steps/:step', c => {
    let who: Visitor | undefined
    return call(
      c,
      '/s/steps/:step',
      async (mine, exchange) => {
        who = await authenticate(c)
        const input = readObject(await readBytes(c.req.raw, { most: MAX_STEP }))
        await enter(mine, who)
        return submitStep(mine, who, c.req.param('step'), input, addressOf(deps, exchange))
      },
      mine => viewSession(mine, who!),
    )
  })

  app.post('/s/exit', c =>
    call(c, '/s/exit', async mine => {
      await recordExit(mine, await visitor(c, mine))
      return {}
    }),
  )

  app.get('/s/export', async c => {
    const response = await call(c, '/s/export', async mine => exportData(mine, await visitor(c, mine)))
    if (response.ok) response.headers.set('Content-Disposition', 'attachment; filename="my-data.json"')
    return response
  })
}

/** Adds the pages and the logos on them. */
function addPages(app: Hono<ListenerEnv>, deps: Deps, assets: Assets, { servePage }: Envelopes): void {
  const logos = createLogos(deps)
  const addFirstScreen = createEarly(assets, deps.log)
  const page = (path: string, work: (c: C) => Promise<Response>) =>
    app.get(path, c => {
      const exchange = new PageExchange(deps.clock(), c.req.raw, path, c.env?.incoming?.socket?.remoteAddress)
      return servePage(exchange, () => {
        exchange.isAdmitted = true
        return work(c)
      })
    })
  const handleOf = (c: C) => c.req.param('handle') ?? ''

  page('/e/:handle', c =>
    shell(deps, assets, addFirstScreen, handleOf(c), {
      accepted: c.req.header('accept-language'),
      hints: hints(c),
      settings: c.req.query('init'),
    }),
  )
  page('/preload', async () => preloadPage(assets))
  page(LINKED_PATH, async c => linkedPage(assets, c.req.header('accept-language')))
  page('/h/:handle', c => hosted(deps, assets, handleOf(c), hints(c)))
  page('/logo/:handle', async c => logos.customer(await findByHandle(deps, handleOf(c))))
  page('/institutions/:id', c => logos.institution(c.req.param('id') ?? ''))
  page('/cards/:id', c => logos.card(c.req.param('id') ?? ''))
}

/** Adds the files of the frame and of the kit. */
function addFiles(app: Hono<ListenerEnv>, deps: Deps, assets: Assets, { serveFile }: Envelopes): void {
  const files = (path: string, work: (c: C) => Response) =>
    app.get(path, c => serveFile(exchangeOf(deps, c, path), () => work(c)))
  const kit = (folder: string, immutable: boolean) =>
    files(`${folder}/*`, c =>
      serveAsset(assets.kit, c.req.path.slice(folder.length), { immutable, shared: true, accepted: accepted(c) }),
    )
  files('/assets/*', c =>
    serveAsset(assets.flow, c.req.path, { immutable: true, shared: false, accepted: accepted(c) }),
  )
  kit('/v1', false)
  // The path of the script of Elements, so that existing pages change only its host.
  kit('/elements/v1/stable', false)
  kit(`/${assets.version}`, true)
}

const enter = async ({ slot }: Deps, { team }: Visitor) => slot?.enter(team.path[0]!)

const hints = (c: C) => c.req.header('sec-ch-ua')
const accepted = (c: C) => c.req.header('accept-encoding')

/** Rejects session calls from pages other than the frame's own. */
function checkSite({ header }: Exchange, frameOrigin: string): void {
  const origin = header('origin')
  const site = header('sec-fetch-site')
  if ((origin !== undefined && origin !== frameOrigin) || (site !== undefined && site !== 'same-origin'))
    throw new ServiceError('FORBIDDEN', 'Session requests must come from the frame.')
}
