/** The console in a browser. */
import './app.js'
