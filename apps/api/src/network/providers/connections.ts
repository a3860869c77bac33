import { endpointsByPath } from '@causeway/connector/methods/contract'
import { servesMethod } from '@causeway/connector/provider/provider'
import type { Connection } from '../connectors/connect.js'
import type { ConnectionFacts, ConnectionSetting } from '../ports.js'
import type { ConfiguredProvider } from './host.js'
import type { Routes } from './routing.js'

/** The maximum length of a setting's value on a screen, in UTF-16 units. */
const MAX_VALUE_LENGTH = 200

interface Configuration {
  providers: readonly ConfiguredProvider[]
  connector: Pick<Connection, 'url' | 'timeout'> | null
}

/** Describes a provider's settings. The value of a secret stays inside. */
const describeSettings = ({ provider, settings }: ConfiguredProvider): ConnectionSetting[] =>
  Object.entries(provider.settings as Record<string, { isSecret: boolean }>).map(([name, { isSecret }]) => {
    const text = textOf(settings[name])
    const isSet = text !== ''
    // mutant: secret-settings-stay-inside (drop 1)
    const isShown = !isSecret && isSet
    return { name, isSecret, isSet, value: isShown ? text : null }
  })

const textOf = (value: unknown): string =>
  (Array.isArray(value) ? value.join(', ') : value === undefined || value === null ? '' : String(value)).slice(
    0,
    MAX_VALUE_LENGTH,
  )

/** Describes every configured provider and what it serves. Pure. */
export function describeConnections({ providers, connector }: Configuration, routes: Routes): ConnectionFacts[] {
  const methodsOf = (name: string) => [...routes].flatMap(([path, provider]) => (provider === name ? [path] : []))
  const declared = providers.map((configured): ConnectionFacts => {
    const { provider, settings } = configured
    const { name, title, proven } = provider
    return {
      ...{
        name,
        title,
        proven,
        environment: provider.environment(settings),
        hosts: [...new Set(provider.hosts(settings))],
      },
      methods: methodsOf(name),
      otherMethods: [...endpointsByPath.keys()]
        .filter(path => servesMethod(provider, settings, path) && routes.get(path) !== name)
        .map(method => ({ method, provider: routes.get(method) ?? null })),
      settings: describeSettings(configured),
      hasHooks: provider.hooks !== undefined,
      isCounted: true,
    }
  })
  const other = { proven: null, otherMethods: [] }
  const own: ConnectionFacts[] = connector
    ? [
        {
          ...other,
          ...{ name: 'connector', title: 'Your connector', environment: 'any', hosts: [new URL(connector.url).origin] },
          methods: methodsOf('connector'),
          settings: [
            { name: 'CONNECTOR_URL', isSecret: false, isSet: true, value: new URL(connector.url).origin },
            { name: 'CONNECTOR_KEY', isSecret: true, isSet: true, value: null },
            { name: 'CONNECTOR_TIMEOUT', isSecret: false, isSet: true, value: String(connector.timeout) },
          ],
          ...{ hasHooks: false, isCounted: true },
        },
      ]
    : []
  const sandbox: ConnectionFacts[] = [...routes.values()].includes('sandbox')
    ? [
        {
          ...other,
          ...{ name: 'sandbox', title: 'Sandbox', environment: 'sandbox', hosts: [], methods: methodsOf('sandbox') },
          ...{ settings: [], hasHooks: false, isCounted: false },
        },
      ]
    : []
  return [...declared, ...own, ...sandbox]
}
