export {
  CONTRACT_STATUS,
  expectFailure,
  type FailureCode,
  faultsOf,
  type UnreadableCode,
} from '@app/testing';
