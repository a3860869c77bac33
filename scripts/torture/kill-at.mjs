/**
 * When loaded into a process with `--import`, kills the process just before its KILL_AT-th SQL statement. With
 * COUNT_FROM=SIGUSR2, counts only the statements after that signal. Without KILL_AT, writes the number of statements to
 * the file named by COUNT_IN when the process ends.
 */
import { writeFileSync } from 'node:fs'
import { openSqlite } from '../../apps/api/dist/platform/db/sqlite/driver.js'

const at = Number(process.env.KILL_AT ?? 0)
let count = 0
const signal = process.env.COUNT_FROM
let isCounting = !signal
if (signal)
  process.on(signal, () => {
    isCounting = true
  })

/** The compiler that every statement passes through, on both engines. */
let prototype = openSqlite(':memory:').createQueryCompiler()
while (!Object.hasOwn(prototype, 'compileQuery')) prototype = Object.getPrototypeOf(prototype)
const { compileQuery } = prototype
prototype.compileQuery = function (...given) {
  if (isCounting) count += 1
  if (count === at) process.kill(process.pid, 'SIGKILL')
  return Reflect.apply(compileQuery, this, given)
}
if (process.env.COUNT_IN) process.on('exit', () => writeFileSync(process.env.COUNT_IN, String(count)))
