import type { Migration } from '../migrate.js'

/** Customers' logos, by a hash of their address; the body is in base64. */
export const logos: Migration = ({ id }) => [
  `create table logos (id ${id} primary key, type text not null, body text not null, fetched_at bigint not null)`,
]
