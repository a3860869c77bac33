/** The script-tag build, `method.js`. Includes the kit, and adds `Method` to the page. */
import { Method } from './method.js'
import { inferFrameOrigin } from './origin.js'

inferFrameOrigin((document.currentScript as HTMLScriptElement | null)?.src)
Object.assign(window, { Method })
