export { aNewSecret } from '@app/testing';
