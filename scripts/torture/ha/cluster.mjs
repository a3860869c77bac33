/**
 * Three PostgreSQL nodes under Patroni with synchronous replication, three etcd members, and HAProxy in front, all on
 * this machine's loopback interface. Each node runs as its own user, so a packet filter can isolate it.
 */
import { execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { freePort } from '../../test/free-port.mjs'

const require = createRequire(new URL('../../../apps/api/package.json', import.meta.url))
const pause = ms => new Promise(resolve => setTimeout(resolve, ms))
/** The time limit that protects against hangs, in ms. */
const HANG_TIMEOUT_MS = 180_000
const BIN = '/usr/lib/postgresql/17/bin'
const TABLE = 'causeway_ha'
/** User ids that no operating system uses. The names of these users are in the root file system's password file. */
const NODE = 47_001
const ETCD = 47_011
const PROXY = 47_021
const POOLER = 47_022

const local = port => `127.0.0.1:${port}`

/** Returns Patroni's settings as JSON, which is also valid YAML. */
const patroni = (node, etcds, folder) => ({
  scope: 'causeway',
  name: node.name,
  restapi: { listen: local(node.rest), connect_address: local(node.rest) },
  etcd3: { hosts: etcds.map(({ client }) => local(client)) },
  bootstrap: {
    dcs: {
      ttl: 20,
      loop_wait: 2,
      retry_timeout: 3,
      synchronous_mode: true,
      synchronous_mode_strict: true,
      postgresql: {
        use_pg_rewind: true,
        parameters: { max_connections: 100, wal_log_hints: 'on', wal_keep_size: '512MB', shared_buffers: '64MB' },
      },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
  },
  postgresql: {
    listen: local(node.port),
    connect_address: local(node.port),
    data_dir: `${folder}/data`,
    bin_dir: BIN,
    pgpass: `${folder}/pgpass`,
    // If a node's history can't be rewound, the node copies the leader's data instead of staying stopped.
    basebackup: [{ checkpoint: 'fast' }],
    remove_data_directory_on_rewind_failure: true,
    remove_data_directory_on_diverged_timelines: true,
    authentication: {
      superuser: { username: 'postgres', password: 'postgres' },
      replication: { username: 'replicator', password: 'replicator' },
    },
    parameters: { unix_socket_directories: folder },
    pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
  },
})

const haproxy = (port, nodes) => `
global
  maxconn 1000
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
listen primary
  bind ${local(port)}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port: at, rest }) => `  server ${name} ${local(at)} check port ${rest}`).join('\n')}
`

/**
 * Settings for PgBouncer in transaction mode. Many clients share a few server connections, each of which is assigned to
 * a client for one transaction.
 */
const pgbouncer = (port, server) => `
[databases]
causeway = host=127.0.0.1 port=${server} user=postgres password=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = any
pool_mode = transaction
max_client_conn = 500
default_pool_size = 20
max_prepared_statements = 200
query_wait_timeout = 30
server_login_retry = 1
unix_socket_dir =
`

/**
 * The timeouts that the service normally sets on its own connections. With PgBouncer, they are set on the database role
 * instead.
 */
const limits = { lock_timeout: 5_000, statement_timeout: 15_000, idle_in_transaction_session_timeout: 60_000 }

/**
 * Starts the cluster in `root`. Returns a store with the same interface as a store from `createStore`.
 * @param pooled true if the service connects through PgBouncer
 */
export async function createCluster(root, { pooled = false } = {}) {
  const folder = mkdtempSync(join(root, 'var', 'lib', 'causeway-'))
  const inside = folder.slice(root.length)
  const running = new Map()
  const ports = await Promise.all(Array.from({ length: 14 }, freePort))
  const nodes = [0, 1, 2].map(index => ({
    name: `node${index + 1}`,
    uid: NODE + index,
    port: ports[index],
    rest: ports[index + 3],
  }))
  const etcds = [0, 1, 2].map(index => ({
    name: `etcd${index + 1}`,
    uid: ETCD + index,
    client: ports[index + 6],
    peer: ports[index + 9],
  }))
  const proxy = { name: 'haproxy', uid: PROXY, port: ports[12] }
  const pooler = { name: 'pgbouncer', uid: POOLER, port: ports[13] }
  const parts = [pooler, proxy, ...nodes, ...etcds]

  /**
   * Runs a program inside the root file system as the component's user, in a mount namespace that exists only while the
   * program runs.
   */
  function run({ name, uid }, command) {
    const log = openSync(join(folder, `${name}.log`), 'a')
    const mounts = `mount -t proc proc ${root}/proc && mount --rbind /dev ${root}/dev && exec chroot --userspec=${uid}:${uid} ${root} "$@"`
    const child = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', mounts, 'sh', ...command], {
      stdio: ['ignore', log, log],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', HOME: inside },
    })
    running.set(name, child)
  }

  const home = ({ name, uid }) => {
    const path = join(folder, name)
    mkdirSync(path, { mode: 0o700 })
    chownSync(path, uid, uid)
    return `${inside}/${name}`
  }

  const startNode = node => run(node, ['patroni', `${inside}/${node.name}.json`])
  /** Kills all processes of a component at the same time, as a power failure would. */
  function kill({ uid }) {
    try {
      execFileSync('pkill', ['-KILL', '-U', String(uid)])
    } catch {
      // No process of this component is running.
    }
  }

  const nft = (...rules) => {
    const text = `table inet ${TABLE}\ndelete table inet ${TABLE}\n${
      rules.length > 0
        ? `table inet ${TABLE} {\nchain output {\ntype filter hook output priority 0; policy accept;\n${rules.join('\n')}\n}\n}\n`
        : ''
    }`
    execFileSync('nft', ['-f', '-'], { input: text })
  }

  const heal = () => nft()

  /** Isolates a node, either only from the other nodes and etcd, or also from HAProxy and clients. */
  function cut(node, from) {
    const set = values => `{ ${values.join(', ')} }`
    const peers = nodes.filter(each => each !== node)
    const far = [...peers.flatMap(({ port, rest }) => [port, rest]), ...etcds.map(({ client }) => client)]
    const own = set([node.port, node.rest])
    const others =
      from === 'peers' ? `meta skuid ${set([...peers, ...etcds].map(({ uid }) => uid))}` : `meta skuid != ${node.uid}`
    nft(`meta skuid ${node.uid} tcp dport ${set(far)} drop`, `${others} tcp dport ${own} drop`)
  }

  async function stop() {
    heal()
    for (const part of parts) kill(part)
    for (const child of running.values()) child.kill('SIGKILL')
    await pause(200)
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', () => {
    for (const part of parts) kill(part)
    rmSync(folder, { recursive: true, force: true })
  })

  /** Returns the cluster's members, as reported by any Patroni instance that responds. */
  async function members() {
    for (const { rest } of nodes) {
      const found = await fetch(`http://${local(rest)}/cluster`, { signal: AbortSignal.timeout(1_000) })
        .then(answer => (answer.ok ? answer.json() : null))
        .catch(() => null)
      if (found) return found.members
    }
    return []
  }

  /** Waits until one node is the leader and the other two follow it, at least one of them synchronously. */
  async function whole() {
    for (const until = performance.now() + HANG_TIMEOUT_MS; performance.now() < until; await pause(500)) {
      const found = await members()
      const roles = found.filter(({ state }) => state === 'running' || state === 'streaming').map(({ role }) => role)
      if (roles.length === 3 && roles.includes('leader') && roles.includes('sync_standby')) return
    }
    throw new Error(`The cluster did not become healthy: ${JSON.stringify(await members())}`)
  }

  async function leader() {
    for (const until = performance.now() + HANG_TIMEOUT_MS; performance.now() < until; await pause(200)) {
      const found = (await members()).find(({ role, state }) => role === 'leader' && state === 'running')
      if (found) return nodes.find(({ name }) => name === found.name)
    }
    throw new Error('No node became the leader in time.')
  }

  const types = new (require('pg').TypeOverrides)()
  types.setTypeParser(require('pg').types.builtins.INT8, Number)
  async function ask(url, sql) {
    const client = new (require('pg').Client)({ connectionString: url, types, connectionTimeoutMillis: 5_000 })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }
  const urlOf = (port, name) => `postgres://postgres:postgres@${local(port)}/${name}`

  try {
    chmodSync(folder, 0o755)
    addUsers(root, parts)
    const initial = etcds.map(({ name, peer }) => `${name}=http://${local(peer)}`).join(',')
    for (const each of etcds) {
      const data = home(each)
      run(each, [
        'etcd',
        ...['--name', each.name, '--data-dir', `${data}/data`, '--initial-cluster', initial],
        ...['--listen-client-urls', `http://${local(each.client)}`],
        ...['--advertise-client-urls', `http://${local(each.client)}`],
        ...['--listen-peer-urls', `http://${local(each.peer)}`],
        ...['--initial-advertise-peer-urls', `http://${local(each.peer)}`],
        ...['--unsafe-no-fsync', '--log-level', 'warn'],
      ])
    }
    for (const node of nodes) {
      const own = home(node)
      writeFileSync(join(folder, `${node.name}.json`), JSON.stringify(patroni(node, etcds, own)))
      startNode(node)
    }
    writeFileSync(join(folder, 'haproxy.cfg'), haproxy(proxy.port, nodes))
    run(proxy, ['haproxy', '-db', '-f', `${inside}/haproxy.cfg`])
    await whole()
    await ask(urlOf(proxy.port, 'postgres'), 'create database causeway')
    if (pooled) {
      for (const [name, value] of Object.entries(limits))
        await ask(urlOf(proxy.port, 'postgres'), `alter role postgres in database causeway set ${name} = ${value}`)
      writeFileSync(join(folder, 'pgbouncer.ini'), pgbouncer(pooler.port, proxy.port))
      run(pooler, ['pgbouncer', `${inside}/pgbouncer.ini`])
    }
  } catch (error) {
    await stop()
    throw error
  }
  const url = urlOf(proxy.port, 'causeway')
  return {
    engine: 'postgres',
    url: pooled ? urlOf(pooler.port, 'causeway') : url,
    async query(sql) {
      for (const until = performance.now() + HANG_TIMEOUT_MS; ; await pause(500))
        try {
          return await ask(url, sql)
        } catch (error) {
          if (performance.now() > until) throw error
        }
    },
    remove: stop,
    folder,
    leader,
    whole,
    kill,
    startNode,
    cut,
    heal,
  }
}

/** Adds names for the user ids, because PostgreSQL requires every user id to have a name. */
function addUsers(root, parts) {
  const file = join(root, 'etc', 'passwd')
  const known = readFileSync(file, 'utf8')
  const lines = parts.map(({ uid }) => `causeway-${uid}:x:${uid}:${uid}::/nonexistent:/usr/sbin/nologin\n`)
  const missing = lines.filter(line => !known.includes(line))
  if (missing.length > 0) appendFileSync(file, missing.join(''))
}
