export { type DecodedToken, decodeToken, encodeTokenPart, resignToken, signToken } from '@app/testing';
