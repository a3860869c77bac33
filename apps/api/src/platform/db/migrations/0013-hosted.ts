import type { Migration } from '../migrate.js'

/** Where a hosted page ends; null: the token is for an element in a customer's page. */
export const hosted: Migration = () => ['alter table tokens add column redirect_url text']
