export { CONTRACT_STATUS, expectFailure, type FailureCode, faultsOf } from '@app/testing';
