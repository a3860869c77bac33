/**
 * Prints the OpenAPI document for the latest API version.
 *   tsx --conditions=source scripts/build/openapi.ts [ORIGIN]
 */
import { describeApi } from '../../apps/api/src/main/openapi/document.js'

process.stdout.write(JSON.stringify(describeApi(process.argv[2] ?? 'http://127.0.0.1:4000')))
