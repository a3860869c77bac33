import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOutputFile } from './output.mjs'
import { parts } from './parts.mjs'
import { prepare } from './prepare.mjs'
import { createProgress } from './progress.mjs'

const folders = []
let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prepare-'))
  folders.push(folder)
})
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true })
})
const at = name => join(folder, name)
const write = (name, text) => writeFileSync(at(name), text)

describe('prepare', () => {
  const built = []
  const part = name => ({
    name,
    inputs: [at(`${name}.ts`)],
    outputs: [at(`${name}.js`)],
    isOutput: () => true,
    run: async () => {
      built.push(name)
      const source = readFileSync(at(`${name}.ts`), 'utf8')
      if (source === 'wrong') throw new Error('wrong is not a module')
      write(`${name}.js`, source)
    },
  })
  const run = async () => {
    built.length = 0
    await prepare((_, task) => task(), [[part('types')], [part('a'), part('b')]], at('hashes.json'))
    return [...built]
  }
  beforeEach(() => {
    for (const name of ['types', 'a', 'b']) write(`${name}.ts`, 'one')
  })

  it('builds everything once', async () => {
    expect(await run()).toEqual(['types', 'a', 'b'])
    expect(await run()).toEqual([])
  })

  it('builds a part again after its input or its output has changed', async () => {
    await run()
    write('a.ts', 'two')
    expect(await run()).toEqual(['a'])
    write('b.js', 'the output of another commit')
    expect(await run()).toEqual(['b'])
    rmSync(at('types.js'))
    expect(await run()).toEqual(['types'])
  })

  it('names the part that fails, and builds it again the next time', async () => {
    write('b.ts', 'wrong')
    await expect(run()).rejects.toThrow('Building b failed.\nwrong is not a module')
    write('b.ts', 'right')
    expect(await run()).toContain('b')
    expect(await run()).toEqual([])
  })

  it('builds everything if the file of hashes is damaged', async () => {
    await run()
    write('hashes.json', '{')
    expect(await run()).toEqual(['types', 'a', 'b'])
  })
})

it('every input of a part exists, so a change of it is noticed', () => {
  const optional = /\/(?:hosted\.html|vite\.config\.ts|index\.html)$/
  const inputs = parts.flat().flatMap(part => part.inputs)
  expect(inputs.filter(path => !optional.test(path) && !existsSync(path))).toEqual([])
})

describe('the output file', () => {
  const lines = []
  const line = level => JSON.stringify({ level, event: 'request' })
  beforeEach(() => {
    lines.length = 0
  })

  it('takes every line, and shows only errors and what is not in the log', () => {
    const print = createOutputFile(at('start.log'), text => lines.push(text))
    for (const text of [line('info'), line('error'), '', 'TypeError: x', line('warn')]) print(text)
    expect(lines).toEqual([line('error'), 'TypeError: x'])
    expect(readFileSync(at('start.log'), 'utf8').split('\n')).toHaveLength(6)
  })

  it('starts empty and keeps the previous one', () => {
    write('start.log', 'yesterday\n')
    createOutputFile(at('start.log'), () => {})(line('info'))
    expect(readFileSync(at('start.log'), 'utf8')).toBe(`${line('info')}\n`)
    expect(readFileSync(at('start.previous.log'), 'utf8')).toBe('yesterday\n')
  })

  it('is replaced when it is full', () => {
    const print = createOutputFile(at('start.log'), () => {}, 50)
    for (let count = 0; count < 100; count++) print(line('info'))
    expect(readFileSync(at('start.log'), 'utf8').length).toBeLessThan(150)
  })
})

it('a task that runs for long is mentioned again', async () => {
  vi.useFakeTimers()
  try {
    const said = []
    let end
    const task = createProgress(text => said.push(text))(
      'Building the console',
      () => new Promise(done => (end = done)),
    )
    await vi.advanceTimersByTimeAsync(9_000)
    end('built')
    expect(await task).toBe('built')
    await vi.advanceTimersByTimeAsync(9_000)
    expect(said).toEqual(['Building the console …', '  … 4 s', '  … 8 s'])
  } finally {
    vi.useRealTimers()
  }
})
