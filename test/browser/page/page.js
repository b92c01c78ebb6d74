// The built bundle in a page that does nothing by itself: the tests call what they find here.
import * as library from '/client.js';
import { deviceInteractionEngine } from '/interactions.js';

const openClient = (baseUrl, options = {}) =>
  new library.HealthRecordsClient({
    baseUrl,
    sessionStore: new library.WebStorageSessionStore(localStorage, window),
    interactionEngine: deviceInteractionEngine,
    ...options,
  });

globalThis.inPage = { library, openClient, client: undefined };
