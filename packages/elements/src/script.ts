/** The script-tag build, `kit.js`. Registers both elements and uses this script's origin as the frame's origin. */
import './define.js'
import { inferFrameOrigin } from './origin.js'

inferFrameOrigin((document.currentScript as HTMLScriptElement | null)?.src)
