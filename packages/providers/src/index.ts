import type { Provider } from '@causeway/connector/provider/provider'

/** Every provider that the service can reach without a connector, by its name in `PROVIDERS`. */
export const providers: Readonly<Record<string, Provider>> = {}
