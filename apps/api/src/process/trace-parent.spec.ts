import { readTraceParent } from './trace-parent';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

it.each([
  ['the version of today', `00-${TRACE}-${SPAN}-01`, 1],
  ['a trace that is not sampled', `00-${TRACE}-${SPAN}-00`, 0],
  ['a later version, with more', `cc-${TRACE}-${SPAN}-01-what-comes`, 1],
])('reads %s', (_, header, flags) => {
  expect(readTraceParent(header)).toEqual({ traceId: TRACE, spanId: SPAN, flags });
});

it.each([
  ['no header', undefined],
  ['the version that is forbidden', `ff-${TRACE}-${SPAN}-01`],
  ['more than the version of today has', `00-${TRACE}-${SPAN}-01-more`],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['capital letters', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['an email', 'a@example.org'],
  ['two headers', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
])('ignores %s', (_, header) => {
  expect(readTraceParent(header)).toBeUndefined();
});
