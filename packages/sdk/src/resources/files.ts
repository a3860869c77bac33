import type { RequestOptions } from '../options.js'
import type { Verbs } from '../verbs.js'

/** Files about people, such as the credit reports of a connect. */
export const createFiles = ({ one, text }: Verbs) => ({
  /** Returns the file with a link that anyone can open for 60 minutes. Each call returns another link. */
  retrieve: (id: string, options?: RequestOptions) => one('GET /files/:file_id', [id], {}, options),
  /** Downloads a JSON report as a string. Open `download_url` to read a PDF or to read the file in parts. */
  download: (id: string, options?: RequestOptions) => text('GET /files/:file_id/download', [id], options),
})
