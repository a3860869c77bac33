import { ServiceError } from '@causeway/contract/errors'
import { page } from '../http/paging.js'
import { type Answer, one, type Route } from '../http/route.js'
import type { Ctx } from '../scope.js'
import { expandConnects, readConnectExpand } from './expand.js'
import { accountById, entityById } from './holders.js'
import type { Product, RecordRow } from './product.js'
import { products } from './registry.js'
import { allow } from './rules.js'
import { createRecord, findRecord, showRecord } from './store.js'

const bases = { entity: '/entities/:ent_id', account: '/accounts/:acc_id' } as const

function holderOf(ctx: Ctx, product: Product) {
  return product.holder === 'entity' ? entityById(ctx, ctx.params['ent_id']) : accountById(ctx, ctx.params['acc_id'])
}

async function show(ctx: Ctx, product: Product, rows: RecordRow[], holder: Parameters<Product['show']>[1]) {
  const bodies = rows.map(row => showRecord(product, row, holder))
  return product.name === 'connect' ? expandConnects(ctx, bodies, readConnectExpand(ctx)) : bodies
}

/** The record as it stands: what a POST that waited answers, also after its first request is gone. */
export async function resumeRecord(ctx: Ctx, id: string): Promise<Answer> {
  for (const product of products) {
    const row = await findRecord(ctx, product.name, id)
    if (!row) continue
    const holder =
      product.holder === 'entity' ? await entityById(ctx, row.holder_id) : await accountById(ctx, row.holder_id)
    const [body] = await show(ctx, product, [row], holder)
    return one(body)
  }
  throw new ServiceError('NOT_FOUND')
}

function routesOf(product: Product): Route[] {
  const path = `${bases[product.holder]}/${product.path}`
  const create: Route = {
    method: 'POST',
    path,
    async handle(ctx) {
      const holder = await holderOf(ctx, product)
      const body = ctx.body()
      const request = product.request?.(body) ?? {}
      if (product.name === 'connect') readConnectExpand(ctx)
      allow(product.availability(ctx.team, holder as never))
      const waits = product.waits && !/\brespond-async\b/.test(ctx.header('prefer') ?? '')
      const { row, job } = await createRecord(ctx, product, holder, request, waits)
      if (!waits) return one(showRecord(product, row, holder))
      return { shape: 'later', job, resume: { kind: 'record', id: row.id } }
    },
  }
  const list: Route = {
    method: 'GET',
    path,
    async handle(ctx) {
      const holder = await holderOf(ctx, product)
      const { rows, headers } = await page<RecordRow>(ctx, product.prefix, from =>
        from('records')
          .where('holder_id' as 'source', '=', holder.id)
          .where('product' as 'type', '=', product.name),
      )
      return { shape: 'list', body: await show(ctx, product, rows, holder), headers }
    },
  }
  const retrieve: Route = {
    method: 'GET',
    path: `${path}/:id`,
    async handle(ctx) {
      const holder = await holderOf(ctx, product)
      const row = await findRecord(ctx, product.name, ctx.params['id'] ?? '', holder.id)
      if (!row) throw new ServiceError('NOT_FOUND')
      const [body] = await show(ctx, product, [row], holder)
      return one(body)
    },
  }
  return product.creatable ? [create, list, retrieve] : [list, retrieve]
}

export const productRoutes: Route[] = products.flatMap(routesOf)
