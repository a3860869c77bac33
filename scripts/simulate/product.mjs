/** The bundled service, imported after the globals have been replaced. */
import { pathToFileURL } from 'node:url'

const [, , bundle] = process.argv
export const product = await import(pathToFileURL(bundle).href)
