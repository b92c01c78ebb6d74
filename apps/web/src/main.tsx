// The first import: the others use what a browser may refuse.
import './storage-refused';
import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/shell.css';
import { App } from './app';
import { speak } from './i18n/i18n';
import { browserLanguage, isLanguage } from './i18n/languages';
import { followCabinet } from './model/findings';
import { followLook } from './model/look';
import { chosenLanguage } from './model/preferences';
import { followInvitation } from './model/invited';
import { followSpaces } from './model/follow-spaces';
import { followPush, remindWhenDue } from './model/reminders';
import { resumeSession } from './model/session';
import { followSync } from './model/sync';
import { registerServiceWorker } from './offline/register';

followLook();
followInvitation();
const wanted = chosenLanguage.value;
await Promise.all([resumeSession(), speak(isLanguage(wanted) ? wanted : browserLanguage())]);
followCabinet();
followSync();
remindWhenDue();
followPush();
followSpaces();
const root = document.getElementById('app')!;
// A first screen that is still loaded would leave the opening in the page for good.
root.replaceChildren();
render(<App />, root);
registerServiceWorker();
