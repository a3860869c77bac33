/** The supported API versions, named by date, oldest first. */
export const versions = ['2020-12-06', '2024-04-04', '2025-07-04', '2025-12-01', '2026-03-30'] as const
export type Version = (typeof versions)[number]
/** A new team's default API version, for requests that do not set one. */
export const PINNED_VERSION: Version = '2024-04-04'
/** The API version that the code uses internally. */
export const NEWEST_VERSION: Version = '2026-03-30'
/** The request header that names the API version. */
export const VERSION_HEADER = 'Service-Version'

export function isVersion(value: string): value is Version {
  return (versions as readonly string[]).includes(value)
}
