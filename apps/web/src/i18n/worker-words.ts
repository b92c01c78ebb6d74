import { browserLanguage, type Language } from './languages';

interface WorkerWords {
  title: string;
  due: string;
  test: string;
  later: string;
}

/** Where the service worker cannot open the text of a reminder. */
const WORDS: Record<Language, WorkerWords> = {
  en: {
    title: 'Health Records',
    due: 'Something is due.',
    test: 'Reminders arrive on this device.',
    later: 'Later',
  },
  de: {
    title: 'Health Records',
    due: 'Etwas ist fällig.',
    test: 'Erinnerungen kommen auf diesem Gerät an.',
    later: 'Später',
  },
  es: {
    title: 'Health Records',
    due: 'Hay algo pendiente.',
    test: 'Los recordatorios llegan a este dispositivo.',
    later: 'Más tarde',
  },
};

export const workerWords = (language: string): WorkerWords => WORDS[browserLanguage([language])];
