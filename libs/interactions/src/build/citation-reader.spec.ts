import { compileSmallBase } from '../__fixtures__/small-base';
import { createEngine } from '../engine';

describe('sources', () => {
  const compileWith = (sources: string) =>
    compileSmallBase({
      'sources.yaml': `sources:
- { id: s1, title: First source, publisher: One, year: 2020, url: "https://example.org/", drug_url: "https://example.org/?q={drug}" }
- { id: s2, title: Second source, publisher: Two, year: 2021, url: "https://example.org/" }
`,
      'rules/cited.yaml': `rules:
- id: paracetamol-losartan
  a: { ingredient: losartan }
  b: { ingredient: paracetamol }
  severity: major
  action: monitor
  evidence: probable
  summary: Taking {a} with {b} can harm.
  mechanism: One thing happens. Another follows.
  management: Do this. Then do that.
  sources: ${sources}
  reviewed: 2026-11-20
`,
    });
  const sourcesOf = (sources: string) => {
    const { base, problems } = compileWith(sources);
    expect(problems).toEqual([]);
    return createEngine(base).check({ medications: ['losartan', 'Tylenol'] })[0].sources;
  };

  it('have the address of the label of a drug, and the section', () => {
    const [first, second] = sourcesOf('[{ id: s1, label: paracetamol, section: 4 Contraindications }, s2]');
    expect(first).toEqual({
      id: 's1',
      title: 'First source',
      publisher: 'One',
      year: 2020,
      url: 'https://example.org/?q=acetaminophen',
      url_is: 'search',
      section: '4 Contraindications',
    });
    expect(second).toMatchObject({ id: 's2', url: 'https://example.org/' });
    expect(second).not.toHaveProperty('section');
    expect(sourcesOf('[s1, s2]')[0].url).toBe('https://example.org/?q=losartan');
  });

  it.each([
    ['', `'url' is missing`],
    ['url: "https://example.org/", url_is: somewhere', `'url_is'`],
    ['url: "https://example.org/", sections: { dose: "2 Dosage" }', `'sections' needs contraindication`],
    ['url: "https://example.org/", sections: { page: "2" }', `unknown topic page`],
  ])('need an address and, as labels, the section of each topic: %s', (fields, complaint) => {
    const { problems } = compileSmallBase({
      'more/sources.yaml': `sources: [{ id: s3, title: Third, publisher: Three, year: 2022, ${fields} }]\n`,
    });
    expect(problems.join('\n')).toContain(complaint);
  });

  it.each([
    ['[s1]', 'needs at least 2 sources'],
    ['[s1, s1]', 'a source is listed twice'],
    ['[s1, s9]', `unknown source 's9'`],
    ['[{ id: s1, label: nothing }, s2]', `unknown ingredient 'nothing'`],
    ['[{ id: s1, section: 4 }, s2]', `'section' in 'sources' must be text`],
    ['[{ id: s1, page: "4" }, s2]', `unknown field 'page'`],
    ['s1', 'needs at least 2 sources'],
  ])('are refused as %s', (sources, complaint) => {
    expect(compileWith(sources).problems.join('\n')).toContain(complaint);
  });
});
