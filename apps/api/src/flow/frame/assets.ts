import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Init } from '@causeway/contract/frame'
import type { FirstScreen, SessionView } from '@causeway/contract/session'

interface File {
  body: Buffer
  type: string
  /** The gzipped body, created on first use. */
  gzip?: Buffer
  /** The Brotli-compressed body, which the build creates. */
  br?: Buffer
}

/** Served files by path. */
export type Files = ReadonlyMap<string, File>

/** Renders a session's first screen the way the app does. The languages are in order of preference. */
export type DrawFirstScreen = (
  view: SessionView,
  chosen: Pick<Init, 'appearance' | 'theme'>,
  languages: readonly (string | null)[],
) => Promise<FirstScreen>

/** The built frame and kit, held in memory. */
export interface Assets {
  /** The shell's template. The service writes the list of allowed embedders into a meta tag. */
  shell: string
  /** The hosted page's template. The service writes the data for the first screen into a meta tag. */
  hosted: string
  /** The part of the frame's page that is shown before the app loads; null if the frame is not built. */
  early: { script: string; draw: DrawFirstScreen } | null
  flow: Files
  kit: Files
  /** The kit's version, which is part of its immutable URL. */
  version: string
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
}

/** Reads a folder and returns the files that browsers may load, keyed by path. */
export function readFolder(folder: string, accept: (name: string) => boolean): Files {
  const files = new Map<string, File>()
  if (!existsSync(folder)) return files
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    const file = join(folder, name)
    const type = types[/\.\w+$/.exec(name)?.[0] ?? '']
    if (!type || !accept(name) || !statSync(file).isFile()) continue
    const br = existsSync(`${file}.br`) ? { br: readFileSync(`${file}.br`) } : {}
    files.set(`/${relative(folder, file).replaceAll('\\', '/')}`, { body: readFileSync(file), type, ...br })
  }
  return files
}

const NOT_BUILT = '<!doctype html><title>Not built</title><p>The frame is not built. Run pnpm build</p>'

/**
 * Reads the output of `pnpm build`.
 * @param root the repository root
 */
export function loadAssets(root: string): Assets {
  const flow = join(root, 'apps/flow/dist')
  const template = (name: string) => {
    const file = join(flow, name)
    return existsSync(file) ? readFileSync(file, 'utf8') : NOT_BUILT
  }
  const script = join(flow, 'early.js')
  const module = pathToFileURL(join(flow, 'server/first-screen.js')).href
  const { version } = JSON.parse(readFileSync(join(root, 'packages/elements/package.json'), 'utf8')) as {
    version: string
  }
  return {
    shell: template('index.html'),
    hosted: template('hosted.html'),
    early: existsSync(script)
      ? {
          script: readFileSync(script, 'utf8').trim(),
          draw: async (...given) =>
            ((await import(module)) as { drawFirstScreen: DrawFirstScreen }).drawFirstScreen(...given),
        }
      : null,
    flow: readFolder(flow, name => name.startsWith('assets')),
    kit: readFolder(join(root, 'packages/elements/dist'), name =>
      /^(kit|loader|init|index|integrity)[.\w-]*\.(js|map|json)$/.test(name),
    ),
    version,
  }
}

export const noAssets: Assets = {
  shell: NOT_BUILT,
  hosted: NOT_BUILT,
  early: null,
  flow: new Map(),
  kit: new Map(),
  version: '0.0.0',
}

const encodings = {
  br: /(?:^|[\s,])br(?!\w|\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
  gzip: /(?:^|[\s,])gzip(?!\w|\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
}

/** Returns the smallest body that the `Accept-Encoding` header allows, with its encoding. */
function encode(file: File, accepted = ''): [Buffer, keyof typeof encodings | null] {
  if (file.br && encodings.br.test(accepted)) return [file.br, 'br']
  if (!encodings.gzip.test(accepted)) return [file.body, null]
  file.gzip ??= gzipSync(file.body, { level: 9 })
  return [file.gzip, 'gzip']
}

/**
 * Serves a file, compressed if `accepted` (the `Accept-Encoding` header) allows it. `shared` adds the headers that let
 * other origins load the file with an integrity hash.
 */
export function serveAsset(
  files: Files,
  path: string,
  { immutable, shared, accepted }: { immutable: boolean; shared: boolean; accepted: string | undefined },
): Response {
  const file = files.get(path)
  if (!file)
    return new Response('Not found', {
      status: 404,
      headers: { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' },
    })
  const [body, encoding] = encode(file, accepted)
  return new Response(new Uint8Array(body), {
    headers: {
      'Content-Type': file.type,
      'Cache-Control': immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      Vary: 'Accept-Encoding',
      ...(encoding ? { 'Content-Encoding': encoding } : {}),
      ...(shared ? { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' } : {}),
    },
  })
}
