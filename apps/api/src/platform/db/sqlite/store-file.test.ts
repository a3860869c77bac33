import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { openLiveStore, openStore } from '../store.js'

const folder = mkdtempSync(join(tmpdir(), 'causeway-file-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a store', () => {
  it('in an empty file is rejected by the service and by operator commands, and the file is left unchanged', async () => {
    const file = join(folder, 'truncated.db')
    writeFileSync(file, '')
    for (const open of [openStore, openLiveStore])
      await expect(open(`file:${file}`)).rejects.toThrow(
        `The store ${file} cannot be opened: the file is empty. Restore a backup, as docs/operations.md describes, or delete the file to start with a new store.`,
      )
    expect(statSync(file).size).toBe(0)
  })

  it('that is being created starts over if an earlier process was killed and left an unfinished file', async () => {
    const file = join(folder, 'unfinished.db')
    writeFileSync(`${file}.new`, 'half')
    await (await openStore(`file:${file}`)).close()
    expect(
      readdirSync(folder)
        .filter(name => name.startsWith('unfinished.db.'))
        .sort(),
    ).toEqual(['unfinished.db.lock', 'unfinished.db.pid'])
  })

  it('whose lock cannot be written reports that, and does not blame another process', async () => {
    const [text, place] = [join(folder, 'text.db'), join(folder, 'place.db')]
    writeFileSync(`${text}.lock`, 'These are notes, not a database. '.repeat(40))
    mkdirSync(`${place}.lock`)
    await expect(openStore(`file:${text}`)).rejects.toThrow(`${text}.lock cannot be written: file is not a database`)
    await expect(openStore(`file:${place}`)).rejects.toThrow(`${place}.lock cannot be written: Failed to open database`)
  })

  it('whose file was deleted or replaced is not ready', async () => {
    const file = join(folder, 'deleted.db')
    const store = await openStore(`file:${file}`)
    expect(await store.probe()).toBe(null)
    renameSync(file, `${file}.away`)
    expect(await store.probe()).toBe("the store's file was deleted or replaced")
    copyFileSync(`${file}.away`, file)
    expect(await store.probe()).toBe("the store's file was deleted or replaced")
    await store.close()
  })

  it("whose file another program keeps locked does not block the process's other work", async () => {
    const file = join(folder, 'locked.db')
    const store = await openStore(`file:${file}`)
    const other = new DatabaseSync(file)
    other.exec('begin immediate')
    let isWritten = false
    const written = store
      .write(tx => tx.insertInto('settings').values({ name: 'after the lock', value: '1' }).execute())
      .then(() => {
        isWritten = true
      })
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const begun = performance.now()
    // Holds the lock for longer than one attempt lasts, so that the store has to retry.
    while (performance.now() - begun < 500) await new Promise(resolve => setImmediate(resolve))
    delay.disable()
    other.exec('commit')
    other.close()
    expect(isWritten).toBe(false)
    expect(delay.max / 1e6).toBeLessThan(2_500)
    await written
    await store.close()
  })
})
