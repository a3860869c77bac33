/** The script-tag build, `kit.js`: registers both elements, framed from wherever this script came from. */
import './define.js'
import { inferFrameOrigin } from './origin.js'

inferFrameOrigin((document.currentScript as HTMLScriptElement | null)?.src)
