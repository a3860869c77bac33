/**
 * Prints how much of the service's code the simulation runs, by folder, the functions that no seed has called, and the moves
 * from one status to another that no seed has made:
 *   node scripts/simulate/coverage.mjs [--seeds A-B] [--functions]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { bundleProduct } from './bundle.mjs'
import { allMoves } from './moves.mjs'
import { readRange } from './options.mjs'
import { runSeed } from './run-seed.mjs'

/** The folders of `apps/api/src` that are reported. */
const FOLDERS = ['platform/db', 'platform/jobs', 'platform/http', 'money', 'flow', 'notify']

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1-16' }, functions: { type: 'boolean', default: false } },
})
const { from, to } = readRange('seeds', values.seeds)

/** Returns the positions at which the lines of a text start. */
function startsOf(text) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Marks the characters of a bundle that a process ran. Inner ranges come after outer ones, so they win. */
function markRun(ran, { functions }) {
  const own = new Uint8Array(ran.length)
  for (const { ranges } of functions)
    for (const { startOffset, endOffset, count } of ranges) own.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  for (let index = 0; index < ran.length; index += 1) ran[index] |= own[index]
}

const folder = mkdtempSync(join(tmpdir(), 'causeway-coverage-'))
try {
  const bundle = await bundleProduct(folder)
  const text = readFileSync(bundle, 'utf8')
  const ran = new Uint8Array(text.length)
  process.env.NODE_V8_COVERAGE = join(folder, 'coverage')
  const called = new Set()
  const functions = new Map()
  /** The number of times that each move was made. */
  const countsByMove = new Map()
  for (let seed = from; seed <= to; seed += 1) {
    const result = await runSeed(bundle, seed, {})
    const { violations, payments, faults, kills, virtualSeconds, moves = {} } = result
    for (const [move, count] of Object.entries(moves)) countsByMove.set(move, (countsByMove.get(move) ?? 0) + count)
    console.log(
      `seed ${seed}: ${payments} payments, ${faults} faults, ${kills} kills, ${Math.round(virtualSeconds)} virtual s`,
    )
    for (const violation of violations) console.log(`  FAILED: ${violation}`)
    for (const file of readdirSync(process.env.NODE_V8_COVERAGE)) {
      const path = join(process.env.NODE_V8_COVERAGE, file)
      const script = JSON.parse(readFileSync(path, 'utf8')).result.find(({ url }) => url === pathToFileURL(bundle).href)
      rmSync(path)
      if (!script) continue
      markRun(ran, script)
      for (const { functionName, ranges } of script.functions) {
        const [{ startOffset, count }] = ranges
        if (functionName) functions.set(startOffset, functionName)
        if (count > 0) called.add(startOffset)
      }
    }
  }
  const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')))
  const starts = startsOf(text)
  /** Returns the source file of a position, as a path from `apps/api/src`, or undefined. */
  function fileOf(line, column) {
    const { originalSource } = map.findEntry(line, column)
    return /apps\/api\/src\/(.+)$/.exec(originalSource ?? '')?.[1]
  }
  const totals = new Map(FOLDERS.map(name => [name, { lines: 0, ran: 0, missed: [] }]))
  const totalOf = file => totals.get(FOLDERS.find(name => file?.startsWith(`${name}/`)))
  for (const [line, start] of starts.entries()) {
    const content = text.slice(start, (starts[line + 1] ?? text.length + 1) - 1)
    const indent = content.search(/\S/)
    // Lines of brackets and comments are not code.
    if (indent < 0 || /^\s*(?:[)\]}{([;,]+|\/?\*.*|\/\/.*)$/.test(content)) continue
    const total = totalOf(fileOf(line, indent))
    if (!total) continue
    total.lines += 1
    total.ran += ran[start + indent]
  }
  for (const [offset, name] of functions) {
    if (called.has(offset)) continue
    const line = starts.findLastIndex(start => start <= offset)
    const file = fileOf(line, offset - starts[line])
    totalOf(file)?.missed.push(`${file} ${name}`)
  }
  for (const [name, { lines, ran: count, missed }] of totals) {
    console.log(
      `${name}: ${count} of ${lines} lines (${Math.round((100 * count) / lines)}%), ${missed.length} functions not called`,
    )
    if (values.functions) for (const each of missed.sort()) console.log(`  ${each}`)
  }
  const missing = allMoves().filter(move => !countsByMove.has(move))
  console.log(`moves: ${allMoves().length - missing.length} of ${allMoves().length} made`)
  for (const move of missing) console.log(`  ${move}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
