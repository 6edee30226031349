import { render } from 'preact'
import { App } from './app.tsx'
import 'fundamental-styles/dist/button.css'
import 'fundamental-styles/dist/input.css'
import 'fundamental-styles/dist/link.css'
import 'fundamental-styles/dist/title.css'
import 'fundamental-styles/dist/form-label.css'
import 'fundamental-styles/dist/message-strip.css'
import './style/index.css'

const root = document.getElementById('page')
if (root !== null) render(<App />, root)
