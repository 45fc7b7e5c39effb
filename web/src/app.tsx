// The page of the web app.

import { render } from 'preact'
import './style.css'
import { startSync } from './data/sync'
import { App } from './frame/App'
import { listenToKeys } from './keyboard/listen'
import { offerToTests } from './frame/tests'

render(<App />, document.getElementById('app')!)
listenToKeys()
startSync()
offerToTests()
