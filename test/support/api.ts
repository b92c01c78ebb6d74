export { type Answer, Api, type CallOptions } from '@app/testing';
