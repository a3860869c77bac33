import { readConfig } from './config.js'
import { checkDeployment, formatFindings } from './operator/doctor.js'
import { operate, usage } from './operator/operator.js'
import { exitOnClosedPipe } from './output.js'

/** Runs one operator command. Prints JSON to standard output; `doctor` prints lines of text. */
exitOnClosedPipe()
const args = process.argv.slice(2)
try {
  if (args.some(arg => arg === '--help' || arg === '-h')) process.stdout.write(`${usage}\n`)
  else if (args.length === 1 && args[0] === 'doctor') {
    const findings = await checkDeployment(process.env, process.cwd(), Date.now())
    process.stdout.write(formatFindings(findings))
    if (findings.some(({ level }) => level === 'problem')) process.exitCode = 1
  } else {
    const answer = await operate(readConfig(process.env), args, Date.now())
    // A command that prints a file returns nothing.
    if (answer !== undefined) process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`)
    if ((answer as { ok?: boolean } | undefined)?.ok === false) process.exitCode = 1
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
