export { visible } from '@app/testing';
