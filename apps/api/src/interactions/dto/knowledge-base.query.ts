import { TextField } from '@app/http';

export class KnowledgeBaseQuery {
  @TextField({
    optional: true,
    min: 1,
    max: 35,
    printable: true,
    description:
      'The language of the sentences: `en` (default), `de` or `es`, also with a region (`de-AT`). English for any other.',
    example: 'de',
  })
  language?: string;
}
