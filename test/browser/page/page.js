// The built bundle in a page that does nothing by itself: the tests call what they find here.
import * as library from '/client.js';
import { deviceInteractionEngine } from '/interactions.js';
import * as offline from '/offline.js';

const openClient = (baseUrl, options = {}) =>
  new library.HealthRecordsClient({
    baseUrl,
    sessionStore: new library.WebStorageSessionStore(localStorage, window),
    interactionEngine: deviceInteractionEngine,
    ...options,
  });

globalThis.inPage = { library, offline, openClient, client: undefined };
