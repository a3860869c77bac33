import { CAPABILITIES_PATH, capabilitiesMethod } from '@causeway/connector/methods/contract'
import type { z } from 'zod'
import { companyName } from '../../platform/company-name.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Store } from '../../platform/db/store.js'
import type { Log } from '../../platform/log.js'
import { type Discovery, defaultDiscovery } from '../capabilities/capabilities.js'
import type { CallConnector } from './ask.js'
import { startStoredRead } from './stored-read.js'

/** A way in which a rail pays a debt by the payee directory. */
export type PayRoute = NonNullable<z.infer<typeof capabilitiesMethod.answer>['routes']>[number]

export interface LoadedCapabilities {
  /** Returns the paths that the connector serves, or null until it has answered. The same set until it changes. */
  paths(): ReadonlySet<string> | null
  /** Returns the ways in which the connector's rail pays debts by the payee directory; none if it does not use it. */
  payRoutes(): readonly PayRoute[]
  /** Returns the way in which the connector finds accounts. */
  discovery(): Discovery
  stop(): void
}

/** The maximum length of the company's name, which the documents show. */
const MAX_COMPANY_NAME_LENGTH = 60

const toDiscovery = ({ discovery, persons, company }: z.infer<typeof capabilitiesMethod.answer>): Discovery => ({
  kind: discovery ?? defaultDiscovery.kind,
  persons: persons ?? defaultDiscovery.persons,
  ...(company !== undefined && { company: company && companyName(company, MAX_COMPANY_NAME_LENGTH) }),
})

const CAPABILITIES_SETTING = 'connector_capabilities'
const capabilitiesJson = jsonColumn<z.infer<typeof capabilitiesMethod.answer>>('settings.value')

/** Reads the connector's latest answer from the store, for commands. */
export async function readLatestCapabilities({
  reader,
}: Pick<Store, 'reader'>): Promise<Omit<LoadedCapabilities, 'stop'>> {
  const row = await reader
    .selectFrom('settings')
    .select('value')
    .where('name', '=', CAPABILITIES_SETTING)
    .executeTakeFirst()
  const latest = row && capabilitiesJson.read(row.value)
  const paths = latest ? new Set(latest.methods) : null
  return {
    paths: () => paths,
    payRoutes: () => latest?.routes ?? [],
    discovery: () => (latest ? toDiscovery(latest) : defaultDiscovery),
  }
}

/** Loads the list of methods that the operator's connector serves, and keeps it current. */
export async function loadCapabilities(
  callConnector: CallConnector,
  store: Store,
  deps: { clock: () => number; log: Log },
): Promise<LoadedCapabilities> {
  let paths: ReadonlySet<string> | null = null
  let payRoutes: readonly PayRoute[] = []
  let discovery = defaultDiscovery
  const stop = await startStoredRead(
    {
      path: CAPABILITIES_PATH,
      method: capabilitiesMethod,
      setting: CAPABILITIES_SETTING,
      failure: 'connector_capabilities_unreadable',
      apply(answer) {
        paths = new Set(answer.methods)
        payRoutes = answer.routes ?? []
        discovery = toDiscovery(answer)
      },
    },
    callConnector,
    store,
    deps,
  )
  return { paths: () => paths, payRoutes: () => payRoutes, discovery: () => discovery, stop }
}
