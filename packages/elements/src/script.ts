/**
 * The script-tag build, `kit.js`: registers both elements, with the origin of this script as the origin of the frame.
 */
import './define.js'
import { inferFrameOrigin } from './origin.js'

inferFrameOrigin((document.currentScript as HTMLScriptElement | null)?.src)
