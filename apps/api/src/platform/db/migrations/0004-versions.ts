import type { Migration } from '../migrate.js'

/** The kind of corporation that an entity was created as, which the oldest version tells apart. */
export const versions: Migration = () => ['alter table entities add column kind text']
