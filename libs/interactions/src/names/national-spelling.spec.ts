import { isNationalSpelling } from './national-spelling';

describe('the spelling of an international name in another language', () => {
  it.each([
    ['methotrexat', 'methotrexate'],
    ['metotrexato', 'methotrexate'],
    ['torasemid', 'torasemide'],
    ['furosemida', 'furosemide'],
    ['prednisolon', 'prednisolone'],
    ['codein', 'codeine'],
    ['kodeina', 'codeine'],
    ['levotiroxina', 'levothyroxine'],
    ['amoxicilina', 'amoxicillin'],
    ['ibuprofeno', 'ibuprofen'],
    ['omeprazol', 'omeprazole'],
    ['paracetamolo', 'paracetamol'],
    ['acenocumarol', 'acenocoumarol'],
  ])('is %s for %s', (written, name) => expect(isNationalSpelling(written, name)).toBe(true));

  it.each([
    ['prednison', 'prednisolone'],
    ['clonidin', 'clonazepam'],
    ['ibuprofin', 'ibuprofen'],
    ['metoprolal', 'metoprolol'],
    ['torasemit', 'torasemide'],
    ['hydroxyzin', 'hydralazine'],
    ['zinc', 'zine'],
  ])('is not %s for %s', (written, name) => expect(isNationalSpelling(written, name)).toBe(false));
});
