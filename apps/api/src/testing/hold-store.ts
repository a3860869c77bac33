/** For tests alone, a process of its own: owns the SQLite file that it is given until it is ended. */
import { openStore } from '../platform/db/store.js'

const store = await openStore(`file:${process.argv[2]}`)
process.stdout.write('ready\n')
process.stdin.on('end', () => store.close().then(() => process.exit(0)))
process.stdin.resume()
