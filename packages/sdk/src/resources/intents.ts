import type { Body } from '../endpoints.js'
import type { RequestOptions } from '../options.js'
import type { Verbs } from '../verbs.js'

/** Reports about people who may become customers. In beta. */
export const createIntents = ({ one }: Verbs) => ({
  create: (params: Body<'POST /intents'>, options?: RequestOptions) => one('POST /intents', [], params, options),
})
