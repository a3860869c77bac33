/**
 * Creates a Debian 13 root file system with PostgreSQL 17, Patroni 4, etcd, HAProxy and PgBouncer, because this machine
 * may not have these programs installed.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

const packages = ['postgresql-17', 'patroni', 'python3-etcd', 'etcd-server', 'haproxy', 'pgbouncer']
const has = command => spawnSync('which', [command]).status === 0

/**
 * Returns `{ root }`, or `{ missing }` with the reason as a sentence. The first call stores the root file system in the
 * user's cache, which takes a few minutes and 650 MB of disk space.
 */
export function debianRoot() {
  if (process.getuid() !== 0) return { missing: 'only root can create the nodes of a cluster' }
  const lacking = ['mmdebstrap', 'nft', 'unshare'].filter(command => !has(command))
  if (lacking.length > 0)
    return { missing: `${lacking.join(' and ')} is missing: apt-get install mmdebstrap nftables util-linux` }
  const root = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'causeway', 'debian-13')
  if (existsSync(root)) return { root }
  const making = `${root}.${process.pid}`
  console.log('Creating a Debian 13 root file system for the PostgreSQL cluster. This happens only once.')
  mkdirSync(dirname(root), { recursive: true })
  try {
    execFileSync('mmdebstrap', ['--quiet', '--variant=apt', `--include=${packages.join(',')}`, 'trixie', making], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    renameSync(making, root)
    return { root }
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    return {
      missing: `mmdebstrap could not create a Debian 13 root file system: ${String(error.stderr ?? error)
        .trim()
        .split('\n')
        .at(-1)}`,
    }
  }
}
