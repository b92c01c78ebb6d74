export { removeDataDir } from '@app/testing';
