import { eventResources } from '@causeway/contract/endpoints/event-resources'
import { webhookTypes } from '@causeway/contract/events'
import type { Version } from '@causeway/contract/versions'
import { typeInVersion } from '../../notify/events/show.js'
import { actionOf } from '../../notify/webhooks/webhook.js'
import { hasEvent } from '../../versions/chain.js'
import type { Schema } from './schemas.js'

const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const textSchema: Schema = { type: 'string' }

/** The headers of a webhook delivery. */
export const webhookHeaders = {
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description:
      "The delivery's id, which is the same for every attempt. Ignore deliveries that you have already received.",
    schema: textSchema,
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'The time of this attempt, in seconds since 1970.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  WebhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    description:
      '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. While the secret is being replaced, the header contains several signatures, separated by spaces.',
    schema: textSchema,
  },
}

/** Returns the resource names for each event type in a version. A type that no code emits yet has no resource names. */
function resourcesByType(version: Version): Map<string, string[]> {
  const resources = new Map<string, string[]>()
  for (const type of [...webhookTypes].filter(each => hasEvent(version, each))) {
    const name = typeInVersion(version, type)
    const resource = eventResources[type.split('.')[0]!]
    const names = resources.get(name) ?? []
    resources.set(name, resource && !names.includes(resource) ? [...names, resource] : names)
  }
  return resources
}

/** Returns the schema for the body of a webhook delivery about a resource. */
const payloadSchema = (event: Schema): Schema => ({
  type: 'object',
  properties: {
    webhook_id: textSchema,
    id: { ...textSchema, description: "The changed resource's id." },
    type: refTo('EventType'),
    op: { ...textSchema, description: 'The last segment of the type.' },
    path: { ...textSchema, description: "The resource's path. Absent if the resource has none." },
    event: {
      anyOf: [textSchema, event],
      description: "The event's id, or the full event if the webhook has `expand_event`.",
    },
    refs: {
      anyOf: [{ type: 'object', additionalProperties: textSchema }, { type: 'null' }],
      description: 'The ids of the resources that this resource belongs to, such as `entity` and `account`.',
    },
  },
  required: ['webhook_id', 'id', 'type', 'op', 'event', 'refs'],
})

/**
 * Returns the schema of a resource in an event. No field is required: some events omit fields, and after consent is
 * withdrawn, an event contains only the id.
 */
function dataOf({ required, description, ...schema }: Schema): Schema {
  return {
    ...schema,
    description:
      'The resource as it was at the time of the event. Never contains an account number, a name or an address.',
  }
}

const eitherOf = (schemas: Schema[]): Schema => (schemas.length === 1 ? schemas[0]! : { anyOf: schemas })
const nameOf = (resources: readonly string[]) => resources.join('Or')

/** Returns a version's `webhooks` section: an entry per event type, and the schemas that those entries reference. */
export function webhooksOf(version: Version, components: Readonly<Record<string, Schema>>) {
  const schemas: Record<string, Schema> = {}
  const types = resourcesByType(version)
  for (const resources of types.values()) {
    const name = nameOf(resources)
    if (name && !schemas[`${name}Event`])
      schemas[`${name}Event`] = {
        allOf: [
          refTo('Event'),
          { type: 'object', properties: { data: eitherOf(resources.map(each => dataOf(components[each]!))) } },
        ],
      }
    schemas[`${name}WebhookPayload`] ??= payloadSchema(refTo(`${name}Event`))
  }
  const entries = [...types].map(([type, resources]) => [
    type,
    {
      post: {
        operationId: `${type.replace(/[._][a-z]/g, part => part.charAt(1).toUpperCase())}Webhook`,
        tags: ['Webhooks'],
        summary: `\`${type}\``,
        description:
          'Sent to the `url` of each webhook of this type. Any 2xx response within 5 seconds counts as delivered.',
        security: [],
        parameters: Object.keys(webhookHeaders).map(name => ({ $ref: `#/components/parameters/${name}` })),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                allOf: [
                  refTo(`${nameOf(resources)}WebhookPayload`),
                  {
                    type: 'object',
                    properties: { type: { const: type }, op: { const: actionOf(type) } },
                    required: ['type', 'op'],
                  },
                ],
              },
            },
          },
        },
        responses: {
          '2XX': { description: 'Delivered.' },
          '4XX': {
            description: 'Not delivered. The service retries failed deliveries; after a 410 it disables the webhook.',
          },
        },
      },
    },
  ])
  return { schemas, webhooks: Object.fromEntries(entries) as Record<string, { post: Record<string, unknown> }> }
}
