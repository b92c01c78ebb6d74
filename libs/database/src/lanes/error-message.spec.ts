import { isRolledBack } from '../database-errors';
import { errorOf } from './error-message';

it('an error is one in whatever language the server speaks', () => {
  const fields = ['SFEHLER', 'VERROR', 'C23503', 'MSchlüssel fehlt', 'tdoses', 'ndoses_medication_fkey', ''];
  const error = errorOf(Buffer.from(fields.join('\0') + '\0'));
  expect(error).toMatchObject({
    severity: 'ERROR',
    code: '23503',
    message: 'Schlüssel fehlt',
    table: 'doses',
    constraint: 'doses_medication_fkey',
  });
  expect(isRolledBack(error)).toBe(true);
});
