/** Starts the console in the browser. */
import './app.js'
