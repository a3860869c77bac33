import { ServiceError } from '@causeway/contract/errors'
import type { z } from 'zod'
import { declared } from '../../platform/http/endpoint/declaration.js'
import { readExpand } from '../../platform/http/endpoint/expand.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { page } from '../../platform/http/endpoint/paging.js'
import { type Answer, one, type Route } from '../../platform/http/endpoint/route.js'
import { orNotFound } from '../../platform/rows.js'
import type { Ctx } from '../../platform/scope.js'
import { checkExpand, checkReads, showsFullNumber } from '../../team/teams/reads.js'
import { requireAgreed } from '../holders/consent-rules.js'
import type { Body, Holder, Preferences, Product, RecordRow } from '../holders/product.js'
import { productAvailability, requireAvailable } from '../holders/product-rules.js'
import { bases, findHolderOfPath, isVisible, lockHolderOfPath } from '../holders/store.js'
import { auditShown, showRecord } from '../records/show-record.js'

import { createRecord, findRecord } from '../records/store.js'
import { loadRecord } from './job.js'
import { products } from './registry.js'

/** Reads the request's Prefer header. */
const readPreferences = (ctx: Ctx): Preferences => ({
  async: /\brespond-async\b/.test(ctx.header('prefer') ?? ''),
})

const readProductExpand = (ctx: Ctx, product: Product) =>
  product.expand ? readExpand(ctx, product.expand.fields) : new Set<string>()

async function show(ctx: Ctx, product: Product, rows: RecordRow[], holder: Holder): Promise<Body[]> {
  requireAgreed(holder, product.name)
  const expand = readProductExpand(ctx, product)
  const bodies = rows.map(row => showRecord(ctx, product, row, holder))
  await auditShown(
    ctx,
    rows.map(row => ({ product, row })),
  )
  return product.expand && expand.size > 0 ? product.expand.show(ctx, bodies, expand) : bodies
}

/** Answers the POST that created a record, or a retry of that POST, with the record's current state. */
export async function resumeRecord(ctx: Ctx, id: string): Promise<Answer> {
  const loaded = orNotFound(await loadRecord(ctx, id))
  if (!isVisible(loaded.holder)) throw new ServiceError('NOT_FOUND')
  const [body] = await show(ctx, loaded.product, [loaded.row], loaded.holder)
  return one(body)
}

function routesOf(product: Product): Route[] {
  const path = `${bases[product.holder]}/${product.path}` as const
  const create = () =>
    implement(declared<z.ZodType<Record<string, unknown>>, typeof path>('POST', path), {
      async handle(ctx, { params, body }) {
        const holder = await lockHolderOfPath(ctx, product.holder, params)
        const preferences = readPreferences(ctx)
        const request = (await product.request?.(body, holder, ctx)) ?? {}
        await checkExpand(ctx, readProductExpand(ctx, product))
        requireAvailable(productAvailability(ctx, product, holder))
        if (showsFullNumber(`${product.name}.read`)) await checkReads(ctx)
        const awaited = typeof product.waits === 'boolean' ? product.waits : product.waits(request, preferences)
        const { row, job } = await createRecord(ctx, product, holder, request, { awaited })
        if (awaited) return { shape: 'later', job, resume: { kind: 'record', id: row.id } }
        const [shown] = await show(ctx, product, [row], holder)
        return one(shown)
      },
    })
  const list = () =>
    implement(declared('GET', path), {
      async handle(ctx, { params }) {
        const holder = await findHolderOfPath(ctx, product.holder, params)
        const { rows, headers } = await page(ctx, product.prefix, from =>
          from('records')
            .where('team_id', '=', ctx.team.id)
            .where('holder_id', '=', holder.id)
            .where('product', '=', product.name),
        )
        return { shape: 'list', body: await show(ctx, product, rows, holder), headers }
      },
    })
  const retrieve = () =>
    implement(declared('GET', `${path}/:id`), {
      async handle(ctx, { params }) {
        const holder = await findHolderOfPath(ctx, product.holder, params)
        const row = orNotFound(await findRecord(ctx, product.name, params.id, holder.id))
        const [body] = await show(ctx, product, [row], holder)
        return one(body)
      },
    })
  return [...(product.creatable ? [create()] : []), ...(product.listed === false ? [] : [list()]), retrieve()]
}

export const productRoutes: Route[] = products.flatMap(routesOf)
