export { accountTables, columnsOf, tablesHolding } from '@app/testing';
