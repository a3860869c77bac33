/** The endpoint of the console's own listener that announces new rows while a page is open. */
import { z } from 'zod'
import { endpoint } from '../declaration/endpoint.js'
import { entities } from './entities.js'
import { endpoints as events } from './events.js'
import { sessions } from './opal.js'
import { endpoints as payments } from './payments.js'
import { deliveries } from './webhooks.js'

/**
 * The paths of the lists whose new rows are announced, by the name of the table. The list of requests is not one of them,
 * because reading it adds rows to it.
 */
export const liveLists = {
  payments: payments.listPayments.path,
  sessions: sessions.listOpalSessions.path,
  entities: entities.listEntities.path,
  events: events.listEvents.path,
  deliveries: deliveries.listAllDeliveries.path,
}

export const consoleLive = {
  streamNewRows: endpoint({
    method: 'GET',
    path: '/console/live',
    summary: 'Receive a message when a list has new rows',
    description:
      'Responds with server-sent events until the client closes the connection. A `rows` event has the paths of the lists that have new ' +
      'rows, whatever the filters, and contains nothing else. An `end` event means that the session ended or that the role ' +
      'changed. A comment arrives every 10 seconds. A user can have at most 8 streams at once.',
    answer: z.string(),
    shape: 'raw',
    type: 'text/event-stream',
    example: { answer: 'event: rows\ndata: {"lists":["/payments"]}\n\n' },
  }),
}
