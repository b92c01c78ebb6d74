// The first import: the others use what a browser may refuse.
import './platform/model/storage-refused';
import { render } from 'preact';
import './platform/styles/tokens.css';
import './platform/styles/base.css';
import './platform/styles/parts.css';
import './platform/styles/shell.css';
import { App } from './app';
import { speak } from './i18n/i18n';
import { browserLanguage, isLanguage } from './i18n/languages';
import { followCabinet } from './features/medications/model/findings';
import { followLook } from './platform/model/look';
import { chosenLanguage } from './platform/model/preferences';
import { followInvitation } from './features/sharing/model/invited';
import { followSpaces } from './features/sharing/model/follow-spaces';
import { followPush, remindWhenDue } from './features/reminders/model/reminders';
import { resumeSession } from './platform/model/session';
import { followSync } from './platform/model/sync';
import { registerServiceWorker } from './platform/offline/register';

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
