/** Endpoints of the console's own listener that download a list as a CSV file. */
import { z } from 'zod'
import { type Endpoint, endpoint } from '../declaration/endpoint.js'
import { entities } from './entities.js'
import { endpoints as events } from './events.js'
import { sessions } from './opal.js'
import { endpoints as payments } from './payments.js'
import { endpoints as requests } from './requests.js'
import { deliveries } from './webhooks.js'

/** The parameters of a list that a file does not have, because it contains every row and its own columns. */
export const omittedParameters = ['page', 'page_limit', 'page_cursor', 'count', 'expand[]'] as const

/** Declares the file with the rows of a list. The file has the list's filters. */
const exportOf = <const P extends string>(
  { path, query = {} }: Endpoint & { path: P },
  what: string,
  example: string,
) =>
  endpoint({
    method: 'GET',
    path: `${path}/csv`,
    summary: `Download ${what} as a CSV file`,
    description:
      `Contains the rows that \`GET ${path}\` lists with the same filters, in the same order, masked as in the console. ` +
      'Needs the `reports` permission. Each file is audited. A user can download at most 200 files per day.',
    query: Object.fromEntries(
      Object.entries(query).filter(([name]) => !(omittedParameters as readonly string[]).includes(name)),
    ),
    answer: z.string(),
    shape: 'raw',
    type: 'text/csv',
    errors: ['INVALID_SEARCH_PARAMETERS'],
    example: { answer: example },
  })

export const consoleExports = {
  exportPayments: exportOf(payments.listPayments, 'payments', 'id,status\r\npmt_4kYq8ZbT1mXd5,settled\r\n'),
  exportSessions: exportOf(sessions.listOpalSessions, 'sessions', 'id,mode\r\nosess_4kYq8ZbT1mXd5,connect\r\n'),
  exportEntities: exportOf(entities.listEntities, 'people', 'id,status\r\nent_4kYq8ZbT1mXd5,active\r\n'),
  exportDeliveries: exportOf(deliveries.listAllDeliveries, 'deliveries', 'id,status\r\ndlv_4kYq8ZbT1mXd5,failed\r\n'),
  exportEvents: exportOf(events.listEvents, 'events', 'id,type\r\nevt_4kYq8ZbT1mXd5,payment.update\r\n'),
  exportRequests: exportOf(requests.listRequests, 'requests', 'id,status\r\nreq_4kYq8ZbT1mXd5,200\r\n'),
}
