import { ServiceError } from '@causeway/contract/errors'
import { z } from 'zod'
import { auditReads } from '../audit/store.js'
import { lockEntity } from '../entities/store.js'
import { parse } from '../http/body.js'
import { readExpand } from '../http/expand.js'
import { readMetadata } from '../http/metadata.js'
import { page } from '../http/paging.js'
import { one, type Route } from '../http/route.js'
import { accountFields, expandAccounts } from '../products/expand.js'
import { accountById } from '../products/holders.js'
import type { Ctx } from '../scope.js'
import type { AccountRow } from './account.js'
import { tellNewAccount } from './change.js'
import { insertAccount } from './store.js'
import { provision } from './verification.js'

const achInput = z.object({ routing: z.unknown(), number: z.unknown(), type: z.unknown() })
const input = z.object({ holder_id: z.string(), type: z.enum(['ach', 'liability']).optional() })

/** Whether nine digits are a routing number: the check digit of the American Bankers Association. */
function isRouting(text: unknown): text is string {
  if (typeof text !== 'string' || !/^\d{9}$/.test(text)) return false
  const weights = [3, 7, 1]
  return [...text].reduce((sum, digit, at) => sum + Number(digit) * weights[at % 3]!, 0) % 10 === 0
}

function readAch(value: unknown): { routing: string; number: string; type: 'checking' | 'savings' } {
  const { routing, number, type } = parse(achInput, value, 'ach')
  if (!isRouting(routing)) throw new ServiceError('INVALID_ACH_ACCOUNT_ROUTING')
  if (typeof number !== 'string' || !/^\d{4,17}$/.test(number)) throw new ServiceError('INVALID_ACH_ACCOUNT_NUMBER')
  if (type !== 'checking' && type !== 'savings') throw new ServiceError('INVALID_ACH_ACCOUNT_TYPE')
  return { routing, number, type }
}

async function show(ctx: Ctx, rows: AccountRow[]) {
  const bodies = await expandAccounts(ctx, rows, readExpand(ctx, accountFields))
  const numbers = rows.filter(row => row.type === 'ach').map(row => row.id)
  await auditReads(ctx, 'account.number.read', numbers)
  return bodies
}

export const accountRoutes: Route[] = [
  {
    method: 'POST',
    path: '/accounts',
    async handle(ctx) {
      const body = ctx.body()
      const { holder_id, type } = parse(input, body)
      const metadata = readMetadata(body, 'MAX_ACCOUNT_METADATA_SIZE_EXCEEDED')
      const holder = await lockEntity(ctx, holder_id)
      if (!holder || holder.status === 'disabled') throw new ServiceError('INVALID_HOLDER_ID')
      if (type === 'liability' || body['ach'] === undefined)
        throw new ServiceError(
          'INVALID_REQUEST',
          'Send ach with routing, number and type. Liabilities are found by connect.',
        )
      const ach = readAch(body['ach'])
      const numberHash = ctx.deps.vault.hash('ach', `${ach.routing} ${ach.number}`)
      const disabled = await ctx.db
        .selectFrom('accounts')
        .select('id')
        .where('team_id', '=', ctx.team.id)
        .where('number_hash', '=', numberHash)
        .where('status', '=', 'disabled')
        .executeTakeFirst()
      if (disabled) throw new ServiceError('EXISTING_ACCOUNT_DISABLED')
      const trusted = ctx.deps.environment === 'sandbox'
      const row = (await insertAccount(
        ctx,
        {
          holder_id: holder.id,
          type: 'ach',
          ach_type: ach.type,
          routing: ach.routing,
          number_hash: numberHash,
          mask: ach.number.slice(-4),
          payable: 'yes',
          verified_at: trusted ? ctx.now : null,
          metadata,
        },
        ach.number,
      ))!
      const session = trusted ? await provision(ctx, row, 'auto_verify') : null
      return one(await tellNewAccount(ctx, row, session ? { account_verification_session: session } : {}))
    },
  },
  {
    method: 'GET',
    path: '/accounts',
    async handle(ctx) {
      const filters = [
        ['holder_id', 'holder_id'],
        ['type', 'type'],
        ['status', 'status'],
        ['mch_id', 'liability.mch_id'],
        ['liability_type', 'liability.type'],
        ['ownership', 'liability.ownership'],
      ] as const
      const { rows, headers } = await page<AccountRow>(ctx, 'account', from => {
        let query = from('accounts').where('team_id', '=', ctx.team.id)
        for (const [column, name] of filters) {
          const value = ctx.query.get(name)
          if (value) query = query.where(column as 'source', '=', value)
        }
        return query
      })
      return { shape: 'list', body: await show(ctx, rows), headers }
    },
  },
  {
    method: 'GET',
    path: '/accounts/:acc_id',
    async handle(ctx) {
      const [body] = await show(ctx, [await accountById(ctx, ctx.params['acc_id'])])
      return one(body)
    },
  },
]
