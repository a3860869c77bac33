/** Replaces the clock, the timers and all randomness of this process. Must run before the service's code is imported. */
import crypto from 'node:crypto'
import { createRequire, syncBuiltinESMExports } from 'node:module'

const require = createRequire(import.meta.url)
const RealDate = Date

/** The fixed start of an Ed25519 private key in PKCS #8. The key's 32 bytes follow. */
const ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

function replaceTimers(world) {
  /** A timer, with the members of Node's timers that the service uses. */
  class Timer {
    constructor(ms, run, isRepeated) {
      this.actor = world.current
      this.ms = Math.max(1, Number(ms) || 1)
      this.run = run
      this.isRepeated = isRepeated
      this.start()
    }
    start() {
      this.event = world.schedule(this.actor, this.ms, () => {
        if (this.isRepeated) this.start()
        this.run()
      })
    }
    stop() {
      this.isRepeated = false
      this.event.isCanceled = true
    }
    refresh() {
      this.event.isCanceled = true
      this.start()
      return this
    }
    ref() {
      return this
    }
    unref() {
      return this
    }
    hasRef() {
      return false
    }
  }
  const stop = timer => {
    if (timer instanceof Timer) timer.stop()
    else if (timer) timer.isCanceled = true
  }
  globalThis.setTimeout = (run, ms, ...args) => new Timer(ms, () => run(...args), false)
  globalThis.setInterval = (run, ms, ...args) => new Timer(ms, () => run(...args), true)
  globalThis.setImmediate = (run, ...args) => world.schedule(world.current, 0, () => run(...args))
  globalThis.clearTimeout = stop
  globalThis.clearInterval = stop
  globalThis.clearImmediate = stop
  const promises = require('node:timers/promises')
  promises.setTimeout = (ms, value) => new Promise(resolve => setTimeout(resolve, ms, value))
  promises.setImmediate = value => new Promise(resolve => setImmediate(resolve, value))
  AbortSignal.timeout = ms => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new DOMException('The operation timed out.', 'TimeoutError')), ms)
    return controller.signal
  }
}

function replaceClock(world) {
  const now = () => Math.floor(world.wallClock())
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, created) => Reflect.construct(target, args.length > 0 ? args : [now()], created),
    get: (target, name) => (name === 'now' ? now : target[name]),
  })
  performance.now = () => world.now()
  performance.eventLoopUtilization = () => ({ active: world.now(), idle: 0, utilization: 1 })
}

function replaceRandomness(world, random) {
  Math.random = () => random.next()
  const bytesOf = view => Buffer.from(view.buffer ?? view, view.byteOffset ?? 0, view.byteLength)
  const fillSync = (view, offset = 0, size = undefined) => {
    random.fill(bytesOf(view).subarray(offset, size === undefined ? undefined : offset + size))
    return view
  }
  const uuid = () =>
    random
      .hex(32)
      .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
      .slice(0, 36)
  crypto.randomBytes = size => random.fill(Buffer.alloc(size))
  crypto.randomFillSync = fillSync
  crypto.randomUUID = uuid
  crypto.generateKeyPairSync = (type, { namedCurve }) => {
    if (type !== 'ec' || namedCurve !== 'P-256') throw new Error(`No seeded key for ${type} ${namedCurve}.`)
    const pair = crypto.createECDH('prime256v1')
    pair.setPrivateKey(random.fill(Buffer.alloc(32)))
    const point = pair.getPublicKey()
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(part => part.toString('base64url'))
    const open = { kty: 'EC', crv: 'P-256', x, y }
    const key = { ...open, d: pair.getPrivateKey().toString('base64url') }
    return {
      privateKey: crypto.createPrivateKey({ format: 'jwk', key }),
      publicKey: crypto.createPublicKey({ format: 'jwk', key: open }),
    }
  }
  crypto.randomInt = (from, to) => (to === undefined ? random.whole(0, from - 1) : random.whole(from, to - 1))
  const web = globalThis.crypto
  web.getRandomValues = view => fillSync(view)
  web.randomUUID = uuid
  const { subtle } = web
  for (const name of ['sign', 'verify', 'digest', 'importKey', 'exportKey', 'encrypt', 'decrypt', 'deriveBits']) {
    const method = subtle[name].bind(subtle)
    subtle[name] = (...args) => world.native(() => method(...args))
  }
  subtle.generateKey = async (algorithm, extractable, uses) => {
    if ((algorithm.name ?? algorithm) !== 'Ed25519') throw new Error(`No seeded key for ${JSON.stringify(algorithm)}.`)
    const der = Buffer.concat([ED25519_PREFIX, random.fill(Buffer.alloc(32))])
    const { d: _, ...open } = crypto
      .createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
      .export({ format: 'jwk' })
    return {
      privateKey: await subtle.importKey('pkcs8', der, 'Ed25519', extractable, uses.includes('sign') ? ['sign'] : []),
      publicKey: await subtle.importKey('jwk', open, 'Ed25519', true, ['verify']),
    }
  }
}

export function replaceGlobals(world, random) {
  replaceTimers(world)
  replaceClock(world)
  replaceRandomness(world, random)
  syncBuiltinESMExports()
}
