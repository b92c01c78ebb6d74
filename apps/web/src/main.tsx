import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/shell.css';
import { App } from './app';
import { browserLanguage, isLanguage, speak } from './i18n/i18n';
import { followLook } from './model/look';
import { chosenLanguage } from './model/preferences';
import { resumeSession } from './model/session';
import { registerServiceWorker } from './offline/register';

followLook();
await resumeSession();
const wanted = chosenLanguage.value;
await speak(isLanguage(wanted) ? wanted : browserLanguage());
render(<App />, document.getElementById('app')!);
registerServiceWorker();
