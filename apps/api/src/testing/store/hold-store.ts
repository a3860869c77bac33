/** Test helper that runs as a separate process and keeps the given SQLite file open until the process is killed. */
import { openStore } from '../../platform/db/store.js'

const store = await openStore(`file:${process.argv[2]}`)
process.stdout.write('ready\n')
process.stdin.on('end', () => store.close().then(() => process.exit(0)))
process.stdin.resume()
