import { endpoints } from '@causeway/contract/endpoints/intents'
import type { intent } from '@causeway/contract/resources/intent'
import type { z } from 'zod'
import { createId } from '../../platform/crypto/random.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { metadataText } from '../../platform/http/endpoint/metadata.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import { sealer } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'

type IntentBody = z.output<(typeof endpoints.createIntent)['body']>

const sealedJson = {
  identity: jsonColumn<IntentBody['identity']>('intents.identity'),
  context: jsonColumn<z.output<typeof intent>['context']>('intents.context'),
}

export const intentRoutes: Route[] = [
  implement(endpoints.createIntent, {
    async handle(ctx, { body: { event, identity, context, metadata } }) {
      const id = createId('intent', ctx.now)
      const known = {
        external_user_id: context?.external_user_id ?? null,
        session_id: context?.session_id ?? null,
        source: context?.source ?? null,
        client_ip_address: context?.client_ip_address ?? null,
        client_user_agent: context?.client_user_agent ?? null,
      }
      const seal = (field: keyof typeof sealedJson, value: string) => sealer(ctx).seal({ id, field }, value)
      await ctx.db
        .insertInto('intents')
        .values({
          team_id: ctx.team.id,
          id,
          event,
          identity: seal('identity', sealedJson.identity.write(identity)),
          context: seal('context', sealedJson.context.write(known)),
          metadata: metadataText(metadata),
          created_at: ctx.now,
        })
        .execute()
      const time = showTime(ctx.now)
      return one({ id, event, context: known, metadata: metadata ?? null, created_at: time, updated_at: time })
    },
  }),
]
