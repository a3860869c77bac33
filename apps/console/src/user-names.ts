/** The names of the console's users, by id. Loaded when a page first shows one. */
import type { Api } from './api.js'

const isUser = (id: string): boolean => id.startsWith('cusr_')

export class UserNames {
  private namesById: ReadonlyMap<string, string> = new Map()
  /** The ids for which the list was loaded. A user who has no name yet is not looked up again. */
  private readonly known = new Set<string>()
  private isLoading = false
  private readonly api: () => Api
  private readonly loaded: () => void

  /** @param loaded called once names have arrived, to draw the page again */
  constructor(api: () => Api, loaded: () => void) {
    this.api = api
    this.loaded = loaded
  }

  /** Returns the name of a user; null for other ids, for a user without a name, and until the names have loaded. */
  readonly nameOf = (id: string): string | null => {
    if (isUser(id) && !this.namesById.has(id) && !this.known.has(id)) {
      this.known.add(id)
      void this.load()
    }
    return this.namesById.get(id) ?? null
  }

  private async load(): Promise<void> {
    if (this.isLoading) return
    this.isLoading = true
    try {
      const { data } = await this.api().get<{ data: { id: string; name: string }[] }>('/console/users/names')
      this.namesById = new Map(data.map(({ id, name }) => [id, name]))
      this.loaded()
    } catch {
      // The page shows ids.
    }
    this.isLoading = false
  }
}
