import { type Check, expectSame, type Subject } from '../check';
import { isRecordCreate, nameOf, readOperations } from '../document';
import { aHousehold, HOW_TO_ADD, parametersOf, type Registry } from '../record-kind';
import { columnsOf, tablesWith } from '../tables';

/**
 * The registry names everything that the service has. No other check covers a record or route
 * that the registry does not name.
 */
export function registryChecks(subject: Subject, registry: Registry): Check[] {
  const { kinds, others = [] } = registry;
  return [
    {
      name: 'the registry has an entry for every route that creates records',
      run: async () => {
        const operations = await readOperations(subject().api);
        const missing = operations
          .filter((operation) => isRecordCreate(operation))
          .filter(({ path }) => !kinds.some(({ collection }) => collection === path))
          .map((operation) => `${nameOf(operation)} creates records of no known kind. ${HOW_TO_ADD}`);
        expectSame(missing, []);
      },
    },
    {
      name: 'the registry has a record behind every parameter of every path',
      run: async () => {
        const known = [...kinds, ...others].map(({ item }) => item);
        const operations = await readOperations(subject().api);
        const parameters = new Set(operations.flatMap(({ path }) => parametersOf(path)));
        const missing = [...parameters]
          .filter((item) => !known.includes(item))
          .map((item) => `There is no record for ${item}. ${HOW_TO_ADD}`);
        expectSame(missing, []);
      },
    },
    {
      name: 'the registry has an entry for every table whose rows clients create',
      run: async () => {
        const missing = (await tablesWith(subject().databaseUrl, 'idempotency_key'))
          .filter((table) => !kinds.some((kind) => kind.table === table))
          .map((table) => `The table ${table} belongs to no known kind. ${HOW_TO_ADD}`);
        expectSame(missing, []);
      },
    },
    {
      name: 'the registry names no route, table or parent that does not exist',
      run: async () => {
        const { api, databaseUrl } = subject();
        const operations = (await readOperations(api)).map(nameOf);
        const wrong: string[] = [];
        for (const { name, under, collection, item, update, deleteWith, table, ...kind } of kinds) {
          const routes = [
            ...[`GET ${collection}`, `POST ${collection}`],
            ...(update ? [`GET ${item}`, `${update.method} ${item}`] : []),
            deleteWith === 'POST' ? `POST ${item}/delete` : `DELETE ${item}`,
          ];
          for (const route of routes)
            if (!operations.includes(route)) wrong.push(`${name}: the document has no ${route}.`);
          if (under !== undefined && !kinds.some((parent) => parent.name === under))
            wrong.push(`${name}: no entry of the registry is called ${under}.`);
          const columns = ['account_id', kind.orderColumn, ...kind.countedColumns];
          if (under !== undefined) columns.push(kind.parentField ?? 'profile_id');
          const found = await columnsOf(databaseUrl, table);
          for (const column of columns)
            if (!found.includes(column)) wrong.push(`${name}: the table ${table} has no column ${column}.`);
        }
        expectSame(wrong, []);
        await aHousehold(api, registry);
      },
    },
  ];
}
